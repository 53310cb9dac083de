import type { Api } from '../../support/api.ts'
import { percentile } from '../support/session-load.ts'

export const callsOfEach = 200
const warmUps = 20

/** Calls of a client's backend whose cost must not depend on the amount of data. */
export const kinds = {
  'POST /v1/sessions': (api) => api.post('/v1/sessions', {}),
  'GET one session': (api, sessionId) => api.get(`/v1/sessions/${sessionId}`),
  'GET first page': (api) => api.get('/v1/sessions?page=1&page_size=20'),
  'GET page of a status': (api) => api.get('/v1/sessions?status=in_review&page=1&page_size=20'),
} satisfies Record<string, (api: Api, sessionId: string) => Promise<{ status: number }>>
export type Kind = keyof typeof kinds

/** p50 of each kind of call in milliseconds, called sequentially; `pick` selects the app of each call. */
export async function timeCalls(
  pick: (call: number) => { api: Api; sessionId: string },
  chosen: readonly Kind[],
): Promise<Map<Kind, number>> {
  const medians = new Map<Kind, number>()
  for (const kind of chosen) {
    const times: number[] = []
    for (let call = -warmUps; call < callsOfEach; call++) {
      const { api, sessionId } = pick(Math.abs(call))
      const began = performance.now()
      const { status } = await kinds[kind](api, sessionId)
      if (status >= 300) throw new Error(`${kind}: ${status}`)
      if (call >= 0) times.push(performance.now() - began)
    }
    medians.set(
      kind,
      percentile(
        times.sort((a, b) => a - b),
        0.5,
      ),
    )
  }
  return medians
}
