import { setTimeout as delay } from 'node:timers/promises'
import { apiClient } from '../../support/api.ts'
import type { Receiver } from '../../support/receiver.ts'

export type SessionLoad = {
  /** Sessions whose decision arrived at the receiver. */
  decided: number
  seconds: number
  /** Milliseconds from the response to the submission until the webhook of the decision, ascending. */
  latencies: number[]
  failures: string[]
}

/**
 * Sessions of test scenario `approved` through the gateway: created, submitted, decided by every service, delivered
 * by webhook. `perSecond` starts them at that rate; without it `clients` run as fast as responses arrive.
 */
export async function runSessions(options: {
  baseUrl: string
  apiKey: string
  receiver: Receiver
  seconds: number
  clients: number
  perSecond?: number
  /** Ends the load early. */
  signal?: AbortSignal
}): Promise<SessionLoad> {
  const api = apiClient(options.baseUrl, options.apiKey)
  const load: SessionLoad = { decided: 0, seconds: 0, latencies: [], failures: [] }
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  let started = 0

  const one = async () => {
    const created = await api.post<{ session_id: string }>('/v1/sessions', {
      metadata: { test_scenario: 'approved' },
    })
    if (created.status !== 201) throw new Error(`POST /v1/sessions: ${created.status}`)
    const { session_id } = created.body
    const told = options.receiver.decisionOf(session_id)
    told.catch(() => {})
    const submitted = performance.now()
    const advanced = await api.post(`/v1/test/sessions/${session_id}/advance`, { to: 'processing' })
    if (advanced.status !== 200) throw new Error(`advance: ${advanced.status}`)
    const { data } = await told
    if (data.status !== 'approved') throw new Error(`decided ${data.status}`)
    load.latencies.push(performance.now() - submitted)
    load.decided++
  }
  const client = async () => {
    while (elapsed() < options.seconds && !options.signal?.aborted) {
      if (options.perSecond !== undefined) {
        const due = started++ / options.perSecond
        if (due > options.seconds) return
        await delay(Math.max(0, (due - elapsed()) * 1000))
      }
      await one().catch((error: unknown) => load.failures.push(String(error)))
    }
  }
  await Promise.all(Array.from({ length: options.clients }, client))
  load.seconds = elapsed()
  load.latencies.sort((a, b) => a - b)
  return load
}

/** Of values in ascending order; NaN if there are none. */
export const percentile = (ascending: readonly number[], share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN
