import type { EventContract, RequestContract } from '@kyc/common'
import type { z } from 'zod'

/** An event as its handler sees it: validated, with what is needed to correlate and to be idempotent. */
export type EventMessage<C extends EventContract = EventContract> = {
  /** The id of the outbox row: the same on every redelivery, so it is what the inbox remembers. */
  id: string
  payload: z.output<C['payload']>
  occurredAt: Date
  orderingKey: string | undefined
  correlationId: string | undefined
  traceparent: string | undefined
  /** 1 on the first delivery, one more after each retry tier. */
  attempt: number
}

export type Subscription<C extends EventContract = EventContract> = {
  /** The subscribing service; one queue per service and event, shared by its replicas. */
  service: string
  /** How many messages one process holds at once. */
  prefetch?: number
} & (
  | {
      /**
       * Returning acknowledges. `PermanentError` parks the message at once; any other error is retried by the tiers.
       * Messages of one ordering key are handled one after the other within a process.
       */
      handle(message: EventMessage<C>): Promise<void>
    }
  | {
      /**
       * For effects that one transaction can have for many: everything that has arrived, at most `prefetch`, in
       * order of arrival, one call at a time. When it throws, each message is handled in a call of its own.
       */
      handleBatch(messages: readonly EventMessage<C>[]): Promise<void>
    }
)

/** An outbox row on its way to the transport. */
export type OutgoingMessage = {
  id: string
  name: string
  version: number
  /** The validated payload as JSON text. */
  payload: string
  occurredAt: Date
  orderingKey: string | undefined
  correlationId: string | undefined
  traceparent: string | undefined
}

/** `unroutable`: no queue is bound to the event yet. `failed`: not confirmed, so it must be published again. */
export type PublishOutcome = 'sent' | 'unroutable' | 'failed'

export type RequestOptions = { deadlineMs?: number; correlationId?: string; traceparent?: string }

export type RequestContext = {
  correlationId: string | undefined
  traceparent: string | undefined
  /** Aborts when the requester's deadline has passed: nobody reads the answer any more. */
  signal: AbortSignal
}

export type RequestHandler<C extends RequestContract> = (
  request: z.output<C['request']>,
  context: RequestContext,
) => Promise<z.input<C['response']>>

export type QueueDepth = {
  queue: string
  /** Waiting to be delivered now. */
  ready: number
  /** Delivered to this process (RabbitMQ) or to the process (in-process), not yet settled. */
  inFlight: number
  /** Waiting in a retry tier. */
  retrying: number
  dead: number
  /** Age of the oldest message known to be waiting or in flight; undefined when there is none. */
  oldestAgeSeconds: number | undefined
}

export type DeadLetterReason =
  | 'permanent_error'
  | 'attempts_exhausted'
  | 'invalid_payload'
  | 'unknown_version'
  | 'unreadable'
  | 'delivery_limit'

export type DeadLetter = {
  id: string
  queue: string
  event: string
  reason: DeadLetterReason
  /** What went wrong, for an operator. Field paths and error texts, never payload values. */
  detail: string
  attempt: number
  /** When the event occurred; undefined for an unreadable message that does not say. */
  occurredAt: Date | undefined
  diedAt: Date
}

export type DeadLetters = {
  /** The oldest first, at most `limit` (100) of one queue, or of every queue this process consumes. */
  list(filter?: { queue?: string; limit?: number }): Promise<DeadLetter[]>
  /** Puts dead letters back at the end of their queue as a first attempt; returns how many. All, or those named. */
  replay(filter: { queue: string; ids?: readonly string[] }): Promise<number>
}

/** What can be emptied together with the bus: the outbox relays of the process. */
export type Drainable = { flush(): Promise<number> }

/** Where metrics and spans attach. Never throw from a hook. */
export type BusHooks = {
  onPublished?(event: { name: string; outcome: PublishOutcome }): void
  onHandled?(event: {
    queue: string
    name: string
    outcome: 'done' | 'retry' | 'dead'
    seconds: number
    /** From the moment the event occurred to the end of its handling. */
    ageSeconds: number
  }): void
  onRequested?(event: {
    name: string
    outcome: 'answered' | 'refused' | 'failed' | 'timeout'
    seconds: number
  }): void
  /** The broker refuses publications (memory or disk alarm), or takes them again. */
  onBlocked?(blocked: boolean): void
}

export type BusHealth = { connected: boolean; blocked: boolean }

/** Events and requests between services. Register with `subscribe` and `respond` first, then `start`. */
export type Bus = {
  subscribe<C extends EventContract>(contract: C, subscription: Subscription<C>): void
  /** For the outbox relay only: everything else appends to an outbox. One outcome per message, same order. */
  publish(messages: readonly OutgoingMessage[]): Promise<PublishOutcome[]>
  /**
   * Asks the one service that responds to `contract`. At-least-once: a responder that dies is asked again within
   * the deadline, so handlers must be idempotent.
   * @throws RequestTimeoutError when the deadline passes; UnavailableError when nobody responds;
   * PublicError when the responder threw one; RemoteError for anything else that went wrong over there.
   */
  request<C extends RequestContract>(
    contract: C,
    payload: z.input<C['request']>,
    options?: RequestOptions,
  ): Promise<z.output<C['response']>>
  respond<C extends RequestContract>(
    contract: C,
    handler: RequestHandler<C>,
    options?: { prefetch?: number },
  ): void
  start(): Promise<void>
  /** Takes nothing new, waits for the handlers in flight, then closes. */
  close(): Promise<void>
  /** For tests: resolves when no outbox, queue or handler has anything left that is due now. */
  drain(): Promise<void>
  /** Makes `drain` empty this outbox as well; the relay calls it. */
  attach(relay: Drainable): void
  depths(): Promise<QueueDepth[]>
  deadLetters: DeadLetters
  health(): BusHealth
}

/** `<service>.<event>`: where a service's copy of an event waits. */
export const queueName = (service: string, eventName: string): string => `${service}.${eventName}`
