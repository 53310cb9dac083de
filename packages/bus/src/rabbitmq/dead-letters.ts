import type { GetMessage } from 'amqplib'
import type { DeadLetter, DeadLetterReason, DeadLetters } from '../bus.ts'
import type { Look } from './look.ts'
import { copyOptions } from './message.ts'
import type { Publisher } from './publisher.ts'
import { deadQueue } from './topology.ts'

type Options = {
  queues(): string[]
  look: Look
  publisher: Publisher
}

const describe = (queue: string, { properties }: GetMessage): DeadLetter => {
  const headers = properties.headers ?? {}
  const date = (value: unknown) => (typeof value === 'string' ? new Date(value) : undefined)
  return {
    id: String(properties.messageId ?? ''),
    queue,
    event: String(properties.type ?? ''),
    // Without a reason header, the broker parked the message because of its number of redeliveries.
    reason: (headers.reason as DeadLetterReason | undefined) ?? 'delivery_limit',
    detail: String(headers.detail ?? 'redelivered too often without being settled'),
    attempt: Number(headers.attempt) || 1,
    occurredAt: date(headers.occurred_at),
    diedAt: date(headers.died_at) ?? new Date((headers['x-death']?.[0]?.time.value ?? 0) * 1000),
  }
}

export function rabbitmqDeadLetters({ queues, look, publisher }: Options): DeadLetters {
  return {
    list: ({ queue, limit = 100 } = {}) =>
      look(async (channel) => {
        const letters: DeadLetter[] = []
        for (const name of queue === undefined ? queues() : [queue]) {
          while (letters.length < limit) {
            const message = await channel.get(deadQueue(name))
            if (!message) break
            letters.push(describe(name, message))
          }
        }
        return letters
      }),

    replay: ({ queue, ids }) =>
      look(async (channel) => {
        const replayed = new Set<string>()
        for (;;) {
          const message = await channel.get(deadQueue(queue))
          // A message that was parked again after its replay marks the end of the queue.
          if (!message || replayed.has(message.properties.messageId)) break
          if (ids && !ids.includes(message.properties.messageId)) continue
          const fresh = { attempt: 1, reason: undefined, detail: undefined, died_at: undefined }
          await publisher.publish('', queue, message.content, copyOptions(message, fresh))
          channel.ack(message)
          replayed.add(message.properties.messageId)
        }
        return replayed.size
      }),
  }
}
