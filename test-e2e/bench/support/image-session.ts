import type { Api } from '../../support/api.ts'
import { apiClient } from '../../support/api.ts'
import type { Received, Receiver } from '../../support/receiver.ts'

const image = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })

/**
 * A person's complete journey through the hosted flow; `submittedAt` is a value of `performance.now()`, `decision`
 * resolves with the webhook.
 */
export async function submitWithImages(
  api: Api,
  baseUrl: string,
  receiver: Receiver,
  photos: { document: Buffer; selfie: Buffer },
): Promise<{ session_id: string; submittedAt: number; decision: Promise<Received> }> {
  const created = await api.post<{ session_id: string; session_token: string }>('/v1/sessions', {})
  if (created.status !== 201) throw new Error(`POST /v1/sessions: ${created.status}`)
  const flow = apiClient(`${baseUrl}/flow/${created.body.session_token}`, null)
  const step = async (path: string, body: unknown) => {
    const answer = await flow.post<{ accepted?: boolean }>(path, body)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
    return answer.body
  }
  await step('/consent', { accepted: true, version: '1', locale: 'en' })
  const form = new FormData()
  form.set('side', 'front')
  form.set('document_type', 'passport')
  form.set('capture_method', 'camera')
  form.set('image', image(photos.document))
  for (let tries = 0; tries < 3 && !(await step('/document', form)).accepted; tries++);
  for (let tries = 0; tries < 3; tries++) {
    const { body } = await flow.get<{ challenge_id: string }>('/liveness')
    const frames = new FormData()
    frames.set('challenge_id', body.challenge_id)
    frames.set('frames', image(photos.selfie))
    if ((await step('/liveness', frames)).accepted) break
  }
  const decision = receiver.decisionOf(created.body.session_id)
  decision.catch(() => {})
  const submittedAt = performance.now()
  await step('/submit', {})
  return { session_id: created.body.session_id, submittedAt, decision }
}
