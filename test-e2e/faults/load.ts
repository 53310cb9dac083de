import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { SessionStatus } from '@kyc/common'
import { apiClient } from '../support/api.ts'

/** Placed in confidential client data: it must not occur anywhere in clear. */
export const confidential = 'zoe.unguessable-marker@example.org'

const patienceMs = 90_000
const longestAnswerMs = 30_000
const pauseMs = 150

/** What one client was told, and the state its session must have reached. */
export type Journey = {
  session_id: string
  /** Statuses in the order the session must have had them, according to the last acknowledged response. */
  wanted: SessionStatus
  purged: boolean
}

export type Load = {
  journeys: Journey[]
  /** Invalid responses: no envelope, too late, or a journey that did not end. */
  complaints: string[]
}

type Plan = { scenario: string | null; to: SessionStatus; next?: 'approved' | 'declined' | 'purge' }

const plans: readonly Plan[] = [
  { scenario: 'approved', to: 'approved' },
  { scenario: 'aml_match', to: 'in_review', next: 'approved' },
  { scenario: 'approved', to: 'approved' },
  { scenario: 'document_expired', to: 'in_review', next: 'declined' },
  { scenario: null, to: 'declined' },
  { scenario: 'approved', to: 'approved', next: 'purge' },
]

/**
 * The journeys of `count` clients through the gateway, several at a time, each as patient as a backend that retries.
 */
export async function runLoad(
  options: { baseUrl: string; apiKey: string; count: number; atOnce: number },
  random: () => number,
): Promise<Load> {
  const load: Load = { journeys: [], complaints: [] }
  let taken = 0
  const client = async () => {
    while (taken < options.count) {
      const plan = plans[taken++ % plans.length] as Plan
      await delay(random() * pauseMs)
      try {
        load.journeys.push(await journey(options, plan, load.complaints))
      } catch (error) {
        load.complaints.push(error instanceof Error ? error.message : String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, client))
  return load
}

async function journey(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  plan: Plan,
  complaints: string[],
): Promise<Journey> {
  const api = apiClient(baseUrl, apiKey)
  const ask = async (
    method: string,
    path: string,
    body: unknown,
    accepted: readonly number[],
    headers: Record<string, string> = {},
  ) => {
    const deadline = Date.now() + patienceMs
    for (;;) {
      const began = performance.now()
      const answer = await api
        .call<Record<string, unknown>>(method, path, body, headers)
        .catch((): { status: number; body: Record<string, unknown> } => ({ status: 0, body: {} }))
      const took = performance.now() - began
      if (took > longestAnswerMs) complaints.push(`${method} ${path}: ${Math.round(took)} ms`)
      if (answer.status >= 400 && !isEnvelope(answer.body))
        complaints.push(`${method} ${path}: ${answer.status} without envelope`)
      if (accepted.includes(answer.status)) return answer
      if (Date.now() > deadline) throw new Error(`${method} ${path} stayed ${answer.status}`)
      await delay(pauseMs)
    }
  }
  const untilStatus = async (path: string, wanted: readonly string[]): Promise<string> => {
    const deadline = Date.now() + patienceMs
    for (;;) {
      const { status } = (await ask('GET', path, undefined, [200])).body
      if (wanted.includes(String(status))) return String(status)
      if (Date.now() > deadline) throw new Error(`${path} stayed ${String(status)}`)
      await delay(pauseMs)
    }
  }

  const metadata = plan.scenario === null ? {} : { test_scenario: plan.scenario }
  const created = await ask('POST', '/v1/sessions', { metadata, contact: { email: confidential } }, [201], {
    'idempotency-key': randomUUID(),
  })
  const session_id = String(created.body.session_id)
  const path = `/v1/sessions/${session_id}`
  // If the response was lost, the retry gets 409, because the session has moved on.
  await ask('POST', `/v1/test/sessions/${session_id}/advance`, { to: plan.to }, [200, 409])
  const decided = await untilStatus(path, ['approved', 'declined', 'in_review'])
  if (plan.next === 'purge') {
    await ask('DELETE', path, undefined, [204])
    // A session without a review ends with its purge; a decision does not change.
    const wanted = decided === 'in_review' ? 'expired' : (decided as SessionStatus)
    return { session_id, wanted, purged: true }
  }
  if (plan.next === undefined || decided !== 'in_review')
    return { session_id, wanted: decided as SessionStatus, purged: false }
  await ask('PATCH', `${path}/status`, { status: plan.next, note: 'seen' }, [200, 409])
  return { session_id, wanted: (await untilStatus(path, [plan.next])) as SessionStatus, purged: false }
}

function isEnvelope(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error
}
