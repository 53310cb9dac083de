import type { Channel, GetMessage } from 'amqplib'
import type { DeadLetter, DeadLetterReason, DeadLetters } from '../bus.ts'
import { copyOptions } from './message.ts'
import type { Publisher } from './publisher.ts'
import { deadQueue } from './topology.ts'

type Options = {
  queues(): string[]
  /** Opens a channel for one look; closing it puts back what was not acknowledged. */
  openChannel(): Promise<Channel>
  publisher: Publisher
}

const describe = (queue: string, { properties }: GetMessage): DeadLetter => {
  const headers = properties.headers ?? {}
  const date = (value: unknown) => (typeof value === 'string' ? new Date(value) : undefined)
  return {
    id: String(properties.messageId ?? ''),
    queue,
    event: String(properties.type ?? ''),
    // Without a reason of ours it was the broker that parked it, for its number of redeliveries.
    reason: (headers.reason as DeadLetterReason | undefined) ?? 'delivery_limit',
    detail: String(headers.detail ?? 'redelivered too often without being settled'),
    attempt: Number(headers.attempt) || 1,
    occurredAt: date(headers.occurred_at),
    diedAt: date(headers.died_at) ?? new Date((headers['x-death']?.[0]?.time.value ?? 0) * 1000),
  }
}

export function rabbitmqDeadLetters({ queues, openChannel, publisher }: Options): DeadLetters {
  return {
    async list({ queue, limit = 100 } = {}) {
      const channel = await openChannel()
      try {
        const letters: DeadLetter[] = []
        for (const name of queue === undefined ? queues() : [queue]) {
          while (letters.length < limit) {
            const message = await channel.get(deadQueue(name))
            if (!message) break
            letters.push(describe(name, message))
          }
        }
        return letters
      } finally {
        await channel.close()
      }
    },

    async replay({ queue, ids }) {
      const channel = await openChannel()
      try {
        let replayed = 0
        let { messageCount } = await channel.checkQueue(deadQueue(queue))
        for (; messageCount > 0; messageCount--) {
          const message = await channel.get(deadQueue(queue))
          if (!message) break
          if (ids && !ids.includes(message.properties.messageId)) continue
          const fresh = { attempt: 1, reason: undefined, detail: undefined, died_at: undefined }
          await publisher.publish('', queue, message.content, copyOptions(message, fresh))
          channel.ack(message)
          replayed++
        }
        return replayed
      } finally {
        await channel.close()
      }
    },
  }
}
