import type { EventContract } from '@kyc/common'
import { type Clock, isTraceparent, type Logger, startSpan } from '@kyc/runtime'
import { Batches } from './batch.ts'
import { type BusHooks, type EventMessage, queueName, type Subscription } from './bus.ts'
import { type Outcome, outcomeOfError } from './retry.ts'

/** A message as a transport received it, not yet validated. */
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

type Entry = {
  contract: EventContract
  handle(message: EventMessage): Promise<void>
  /** Batches preserve the order themselves, so a message of a batch must not wait for the previous one. */
  batched: boolean
}

/** One service's queue for one event, with a handler per version of its contract. */
export type ConsumerQueue = {
  queue: string
  event: string
  prefetch: number
  versions: Map<number, Entry>
}

const defaultPrefetch = 10

/** The subscriptions of a process, by queue. */
export class Subscriptions {
  readonly queues = new Map<string, ConsumerQueue>()

  add<C extends EventContract>(contract: C, subscription: Subscription<C>): void {
    const queue = queueName(subscription.service, contract.name)
    const prefetch = subscription.prefetch ?? defaultPrefetch
    const known = this.queues.get(queue) ?? { queue, event: contract.name, prefetch, versions: new Map() }
    if (known.versions.has(contract.version)) {
      throw new Error(`${queue} already has a handler for version ${contract.version}`)
    }
    known.versions.set(contract.version, entryOf(contract, subscription))
    this.queues.set(queue, known)
  }
}

function entryOf<C extends EventContract>(contract: C, subscription: Subscription<C>): Entry {
  // Safe, because a handler receives only what the schema of its own contract returned.
  const typed = subscription as unknown as Subscription
  if ('handle' in typed) return { contract, handle: (message) => typed.handle(message), batched: false }
  const batches = new Batches<EventMessage>((messages) => typed.handleBatch(messages))
  return { contract, handle: (message) => batches.handle(message), batched: true }
}

/** The key whose messages are handled one after the other. */
export const serialKey = (consumer: ConsumerQueue, incoming: Incoming): string | undefined =>
  consumer.versions.get(incoming.version)?.batched ? undefined : incoming.orderingKey

export type DeliveryOptions = {
  logger: Logger
  clock: Clock
  retryTiersMs: readonly number[]
  hooks: BusHooks
}

/** Validates and handles one message. Never throws: the transport settles the message by the returned outcome. */
export async function deliver(
  consumer: ConsumerQueue,
  incoming: Incoming,
  { logger, clock, retryTiersMs, hooks }: DeliveryOptions,
): Promise<Outcome> {
  const started = performance.now()
  const span = startSpan(consumer.queue, {
    kind: 'consumer',
    parent: isTraceparent(incoming.traceparent) ? incoming.traceparent : undefined,
    attributes: { 'messaging.message.id': incoming.id, 'kyc.attempt': incoming.attempt },
  })
  const traced = { ...incoming, traceparent: span.traceparent }
  const outcome = await attempt(consumer, traced, retryTiersMs)
  span.end({ failed: outcome.kind !== 'done', attributes: { 'kyc.outcome': outcome.kind } })
  hooks.onHandled?.({
    queue: consumer.queue,
    name: incoming.name,
    outcome: outcome.kind,
    seconds: (performance.now() - started) / 1000,
    ageSeconds: (clock.now().getTime() - incoming.occurredAt.getTime()) / 1000,
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
    // The parser's message quotes the text, which may contain personal data.
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
    await entry.handle({
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
