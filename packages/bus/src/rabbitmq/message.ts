import type { Message, MessagePropertyHeaders, Options } from 'amqplib'
import type { OutgoingMessage } from '../bus.ts'
import type { Incoming } from '../delivery.ts'

/** The payload is the body, so that any AMQP tool shows it. Its metadata is in properties and headers. */
export const publishOptions = (message: OutgoingMessage): Options.Publish => ({
  persistent: true,
  mandatory: true,
  contentType: 'application/json',
  messageId: message.id,
  type: message.name,
  correlationId: message.correlationId,
  timestamp: Math.floor(message.occurredAt.getTime() / 1000),
  headers: {
    version: message.version,
    occurred_at: message.occurredAt.toISOString(),
    ordering_key: message.orderingKey,
    traceparent: message.traceparent,
  },
})

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
const count = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/** Undefined when required metadata is missing. Without an id, nothing can be idempotent. */
export function readMessage({ content, properties }: Message, now: Date): Incoming | undefined {
  const headers: MessagePropertyHeaders = properties.headers ?? {}
  const [id, name] = [text(properties.messageId), text(properties.type)]
  if (id === undefined || name === undefined) return undefined
  const occurredAt = new Date(text(headers.occurred_at) ?? Number.NaN)
  return {
    id,
    name,
    version: count(headers.version),
    payload: content.toString('utf8'),
    occurredAt: Number.isNaN(occurredAt.getTime()) ? now : occurredAt,
    orderingKey: text(headers.ordering_key),
    correlationId: text(properties.correlationId),
    traceparent: text(headers.traceparent),
    attempt: count(headers.attempt) || 1,
  }
}

/** Options of a copy for another queue: without the broker's own `x-death` headers, with `headers` added. */
export function copyOptions({ properties }: Message, headers: Record<string, unknown>): Options.Publish {
  const own = Object.entries(properties.headers ?? {}).filter(([name]) => !name.startsWith('x-'))
  const { contentType, messageId, type, correlationId, timestamp } = properties
  return {
    persistent: true,
    mandatory: true,
    contentType,
    messageId,
    type,
    correlationId,
    timestamp,
    headers: { ...Object.fromEntries(own), ...headers },
  }
}
