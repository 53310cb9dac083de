import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Fault } from './faults.ts'
import { type Inspection, inspect, underWay } from './invariants.ts'
import { runLoad } from './load.ts'

export type RoundResult = Inspection & {
  fault: string
  round: number
  /** From the end of the fault and of the load until nothing is pending. */
  settledMs: number
}

const sessionsPerRound = 8
const clientsAtOnce = 4
/** By then queues must be drained, and every service ready. */
const settleMs = 120_000
/** The fault occurs at any moment within the first journeys of a round. */
const strikeWithinMs = 1_500

/** A seeded generator, so that a failing round can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** One fault at a random moment of a load, and the checker once the system has settled. */
export async function runRound(
  cluster: Cluster,
  fault: Fault,
  round: number,
  random: () => number,
): Promise<RoundResult> {
  const { baseUrl, app, receiver } = cluster
  const options = { baseUrl, apiKey: app.api_key, count: sessionsPerRound, atOnce: clientsAtOnce }
  const loading = runLoad(options, random)
  await delay(random() * strikeWithinMs)
  const parked = await fault.strike(cluster, random)
  const load = await loading
  const ended = performance.now()
  const unsettled = await settle(cluster, parked)
  const settledMs = performance.now() - ended
  const inspection = await inspect(cluster.databaseUrl(), load, receiver)
  return {
    ...inspection,
    violations: [...cluster.died(), ...unsettled, ...inspection.violations],
    fault: fault.name,
    round,
    settledMs,
  }
}

/**
 * Waits until outboxes, queues and deliveries are empty and all services ready; after two minutes reports what is
 * not.
 */
async function settle(cluster: Cluster, parked: number): Promise<string[]> {
  const deadline = Date.now() + settleMs
  let left: string[] = []
  while (Date.now() < deadline) {
    left = []
    const rows = await underWay(cluster.databaseUrl())
    if (rows !== 0) left.push(`${rows ?? 'an unknown number of'} rows are still under way`)
    else {
      const unready = await cluster.unready()
      if (unready.length > 0) left.push(`not ready: ${unready.join()}`)
      else left.push(...(await queuesLeft(cluster, parked)))
    }
    if (left.length === 0) return []
    await delay(200)
  }
  return left
}

async function queuesLeft({ broker }: Cluster, parked: number): Promise<string[]> {
  const listed = await broker.ctl('list_queues', '--quiet', 'name', 'messages').catch(() => null)
  if (listed === null) return ['the broker does not answer']
  const queues = listed
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name = '', messages = '0']) => ({ name, messages: Number(messages) }))
  const waiting = queues.filter(({ name, messages }) => !name.endsWith('.dead') && messages > 0)
  if (waiting.length > 0) return waiting.map(({ name, messages }) => `${name} holds ${messages}`)
  const dead = queues.filter(({ name }) => name.endsWith('.dead'))
  const found = dead.reduce((sum, { messages }) => sum + messages, 0)
  if (found !== parked) return [`${found} messages are parked, not ${parked}`]
  for (const { name, messages } of dead) if (messages > 0) await broker.ctl('purge_queue', name)
  return []
}
