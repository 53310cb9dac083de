import { setTimeout as delay } from 'node:timers/promises'
import { expect } from '@jest/globals'
import type { CreatedSession, FlowState } from '@kyc/common'
import { type Answer, type Api, apiClient } from './api.ts'

export type Photos = { document: Buffer; selfie: Buffer }

const image = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })

/** The person: follows the link of a session with its token, like the hosted page. */
export function person(baseUrl: string, session: Pick<CreatedSession, 'session_token'>) {
  const flow = apiClient(`${baseUrl}/flow/${session.session_token}`, null)
  return {
    flow,
    state: async () => (await flow.get<FlowState>('/state')).body,
    consent: () => flow.post<FlowState>('/consent', { accepted: true, version: '1', locale: 'en' }),
    document: (photo: Buffer, type = 'passport') => {
      const form = new FormData()
      form.set('side', 'front')
      form.set('document_type', type)
      form.set('capture_method', 'camera')
      form.set('image', image(photo))
      return flow.post<{ accepted: boolean; issues: { code: string }[]; attempts_remaining: number }>(
        '/document',
        form,
      )
    },
    liveness: async (selfie: Buffer) => {
      const challenge = await flow.get<{ challenge_id: string }>('/liveness')
      const form = new FormData()
      form.set('challenge_id', challenge.body.challenge_id)
      form.set('frames', image(selfie))
      return flow.post<{ accepted: boolean; issues: { code: string }[] }>('/liveness', form)
    },
    submit: () => flow.post<{ status: string; redirect_url: string | null }>('/submit', {}),
  }
}

/** Repeats an upload step until it is accepted: the last attempt always is, with its warnings. */
async function untilAccepted<T extends { accepted: boolean }>(attempt: () => Promise<Answer<T>>): Promise<T> {
  for (let tries = 0; tries < 3; tries++) {
    const answer = await whenNotBusy(attempt)
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 })
    if (answer.body.accepted) return answer.body
  }
  throw new Error('three attempts were refused')
}

/** Like the hosted page: a busy service returns a retry time, and an attempt that it did not accept costs none. */
export async function whenNotBusy<T>(attempt: () => Promise<Answer<T>>): Promise<Answer<T>> {
  const giveUpAt = performance.now() + 60_000
  for (;;) {
    const answer = await attempt()
    const seconds = Number(answer.headers.get('retry-after'))
    if (answer.status !== 503 || seconds === 0 || performance.now() > giveUpAt) return answer
    await delay(seconds * 1_000)
  }
}

/** Create, consent, document, liveness, submit: everything up to `processing`, over real HTTP. */
export async function submitSession(
  api: Api,
  baseUrl: string,
  photos: Photos,
  body: object = {},
): Promise<CreatedSession> {
  const created = await api.post<CreatedSession>('/v1/sessions', body)
  expect(created.status).toBe(201)
  const someone = person(baseUrl, created.body)
  expect((await someone.consent()).status).toBe(200)
  await untilAccepted(() => someone.document(photos.document))
  await untilAccepted(() => someone.liveness(photos.selfie))
  const submitted = await someone.submit()
  expect(submitted).toMatchObject({ status: 200, body: { status: 'processing' } })
  return created.body
}
