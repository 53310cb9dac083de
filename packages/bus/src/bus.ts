import type { EventContract, RequestContract } from '@kyc/common'
import type { z } from 'zod'

/** An event as its handler receives it: validated, with the ids needed for correlation and idempotency. */
export type EventMessage<C extends EventContract = EventContract> = {
  /** The id of the outbox row. It is the same on every redelivery, and the inbox stores it. */
  id: string
  payload: z.output<C['payload']>
  occurredAt: Date
  orderingKey: string | undefined
  correlationId: string | undefined
  traceparent: string | undefined
  /** 1 on the first delivery, incremented after each retry tier. */
  attempt: number
}

export type Subscription<C extends EventContract = EventContract> = {
  /** The subscribing service; one queue per service and event, shared by its replicas. */
  service: string
  /** Maximum number of unsettled messages per process. */
  prefetch?: number
} & (
  | {
      /**
       * Returning acknowledges the message. `PermanentError` parks it immediately; any other error is retried through
       * the tiers. Messages of one ordering key are handled one after the other within a process.
       */
      handle(message: EventMessage<C>): Promise<void>
    }
  | {
      /**
       * For effects that one transaction can have for many messages. Receives everything that has arrived, at most
       * `prefetch`, in order of arrival; calls do not overlap. When it throws, it is called again for each message
       * separately.
       */
      handleBatch(messages: readonly EventMessage<C>[]): Promise<void>
    }
)

/** An outbox row as it is passed to the transport. */
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
  /** Aborts when the requester's deadline has passed and nobody waits for the response any more. */
  signal: AbortSignal
}

export type RequestHandler<C extends RequestContract> = (
  request: z.output<C['request']>,
  context: RequestContext,
) => Promise<z.input<C['response']>>

export type QueueDepth = {
  queue: string
  /** Ready for delivery. */
  ready: number
  /** Delivered to this process (RabbitMQ) or to the process (in-process), not yet settled. */
  inFlight: number
  /** Waiting in a retry tier. */
  retrying: number
  dead: number
  /** Age of the oldest message known to be waiting or in flight; undefined if there is none. */
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
  /** The failure, for an operator. Contains field paths and error texts, never payload values. */
  detail: string
  attempt: number
  /** When the event occurred; undefined for an unreadable message without this property. */
  occurredAt: Date | undefined
  diedAt: Date
}

export type DeadLetters = {
  /** Oldest first, at most `limit` (100), from one queue or from every queue that this process consumes. */
  list(filter?: { queue?: string; limit?: number }): Promise<DeadLetter[]>
  /** Moves all dead letters, or those named, back to the end of their queue as a first attempt; returns how many. */
  replay(filter: { queue: string; ids?: readonly string[] }): Promise<number>
}

/** A source that `drain` flushes together with the bus: the outbox relays of the process. */
export type Drainable = { flush(): Promise<number> }

/** Hooks for metrics and spans. A hook must never throw. */
export type BusHooks = {
  onPublished?(event: { name: string; outcome: PublishOutcome }): void
  onHandled?(event: {
    queue: string
    name: string
    outcome: 'done' | 'retry' | 'dead'
    seconds: number
    /** Seconds from the occurrence of the event to the end of its handling. */
    ageSeconds: number
  }): void
  onRequested?(event: {
    name: string
    outcome: 'answered' | 'refused' | 'failed' | 'timeout'
    seconds: number
  }): void
  /** Called when the broker blocks publishing (memory or disk alarm) and when it accepts it again. */
  onBlocked?(blocked: boolean): void
}

export type BusHealth = { connected: boolean; blocked: boolean }

/** Events and requests between services. Call `subscribe` and `respond` first, then `start`. */
export type Bus = {
  subscribe<C extends EventContract>(contract: C, subscription: Subscription<C>): void
  /**
   * For the outbox relay only; everything else appends to an outbox. Returns one outcome per message, in the same
   * order.
   */
  publish(messages: readonly OutgoingMessage[]): Promise<PublishOutcome[]>
  /**
   * Calls the one service that responds to `contract`. At-least-once: if a responder dies, the request is sent again
   * within the deadline, so handlers must be idempotent.
   * @throws RequestTimeoutError when the deadline passes; UnavailableError when nobody responds; PublicError when the
   * responder threw one; RemoteError for any other failure of the responder.
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
  /** Stops accepting messages, waits for the handlers in flight, then closes. */
  close(): Promise<void>
  /** For tests: resolves when no outbox, queue or handler has work left that is due now. */
  drain(): Promise<void>
  /** Makes `drain` flush this outbox as well; called by the relay. */
  attach(relay: Drainable): void
  depths(): Promise<QueueDepth[]>
  deadLetters: DeadLetters
  health(): BusHealth
}

/** `<service>.<event>`: the queue that receives a service's copy of an event. */
export const queueName = (service: string, eventName: string): string => `${service}.${eventName}`
