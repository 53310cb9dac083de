import type { EventContract } from '@kyc/common'
import type { Clock, Logger } from '@kyc/runtime'
import type { BusHooks, Subscription } from './bus.ts'
import { queueName } from './bus.ts'
import { type Outcome, outcomeOfError } from './retry.ts'

/** A message as a transport received it, before anything about it is trusted. */
export type Incoming = {
  id: string
  name: string
  version: number
  /** JSON text. */
  payload: string
  occurredAt: Date
  orderingKey: string | undefined
  correlationId: string | undefined
  traceparent: string | undefined
  attempt: number
}

type Entry = { contract: EventContract; subscription: Subscription }

/** One service's queue for one event, with a handler per version of its contract. */
export type ConsumerQueue = {
  queue: string
  event: string
  prefetch: number
  versions: Map<number, Entry>
}

const defaultPrefetch = 10

/** Every subscription of a process by queue. */
export class Subscriptions {
  readonly queues = new Map<string, ConsumerQueue>()

  add<C extends EventContract>(contract: C, subscription: Subscription<C>): void {
    const queue = queueName(subscription.service, contract.name)
    const prefetch = subscription.prefetch ?? defaultPrefetch
    const known = this.queues.get(queue) ?? { queue, event: contract.name, prefetch, versions: new Map() }
    if (known.versions.has(contract.version)) {
      throw new Error(`${queue} already has a handler for version ${contract.version}`)
    }
    // The handler only ever receives what its own contract's schema returned.
    known.versions.set(contract.version, { contract, subscription: subscription as unknown as Subscription })
    this.queues.set(queue, known)
  }
}

export type DeliveryOptions = {
  logger: Logger
  clock: Clock
  retryTiersMs: readonly number[]
  hooks: BusHooks
}

/** Validates and handles one message; never throws: whatever happens is an outcome for the transport to settle. */
export async function deliver(
  consumer: ConsumerQueue,
  incoming: Incoming,
  { logger, clock, retryTiersMs, hooks }: DeliveryOptions,
): Promise<Outcome> {
  const started = clock.now().getTime()
  const outcome = await attempt(consumer, incoming, retryTiersMs)
  const now = clock.now().getTime()
  hooks.onHandled?.({
    queue: consumer.queue,
    name: incoming.name,
    outcome: outcome.kind,
    seconds: (now - started) / 1000,
    ageSeconds: (now - incoming.occurredAt.getTime()) / 1000,
  })
  if (outcome.kind !== 'done') {
    const { kind, detail } = outcome
    const fields = { queue: consumer.queue, message_id: incoming.id, attempt: incoming.attempt, detail }
    if (kind === 'dead') logger.error('A message was parked', { ...fields, reason: outcome.reason })
    else logger.warn('A message will be retried', { ...fields, delay_ms: outcome.delayMs })
  }
  return outcome
}

async function attempt(
  consumer: ConsumerQueue,
  incoming: Incoming,
  tiersMs: readonly number[],
): Promise<Outcome> {
  const entry = consumer.versions.get(incoming.version)
  if (!entry) {
    const detail = `${incoming.name} version ${incoming.version} has no handler here`
    return { kind: 'dead', reason: 'unknown_version', detail }
  }
  let json: unknown
  try {
    json = JSON.parse(incoming.payload)
  } catch (error) {
    // The parser's message quotes the text, which may be personal.
    return { kind: 'dead', reason: 'unreadable', detail: error instanceof Error ? error.name : 'not JSON' }
  }
  const parsed = entry.contract.payload.safeParse(json)
  if (!parsed.success) {
    const detail = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ')
    return { kind: 'dead', reason: 'invalid_payload', detail: detail.slice(0, 300) }
  }
  try {
    const { id, occurredAt, orderingKey, correlationId, traceparent, attempt } = incoming
    const payload = parsed.data
    await entry.subscription.handle({
      id,
      payload,
      occurredAt,
      orderingKey,
      correlationId,
      traceparent,
      attempt,
    })
    return { kind: 'done' }
  } catch (error) {
    return outcomeOfError(error, incoming.attempt, tiersMs)
  }
}
