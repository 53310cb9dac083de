import type { Channel, ConsumeMessage } from 'amqplib'

/**
 * The acknowledgements of one channel, collected per turn of the event loop. All messages up to the first unsettled one
 * are acknowledged with one frame, which is also one entry instead of many in the broker's log.
 */
export class Acks {
  readonly #channel: Channel
  /** Unsettled delivery tags in order of delivery, which is ascending. */
  readonly #open = new Set<number>()
  #done: ConsumeMessage[] = []

  constructor(channel: Channel) {
    this.#channel = channel
  }

  delivered(message: ConsumeMessage): void {
    this.#open.add(message.fields.deliveryTag)
  }

  ack(message: ConsumeMessage): void {
    this.#open.delete(message.fields.deliveryTag)
    if (this.#done.push(message) === 1) setImmediate(() => this.flush())
  }

  /** Returns the message to its queue, for any consumer. */
  nack(message: ConsumeMessage): void {
    this.#open.delete(message.fields.deliveryTag)
    this.#send(() => this.#channel.nack(message))
  }

  flush(): void {
    const [lowestOpen = Number.POSITIVE_INFINITY] = this.#open
    const done = this.#done.sort((a, b) => a.fields.deliveryTag - b.fields.deliveryTag)
    this.#done = []
    const upTo = done.findLast((message) => message.fields.deliveryTag < lowestOpen)
    this.#send(() => {
      if (upTo) this.#channel.ack(upTo, true)
      for (const message of done) if (message.fields.deliveryTag > lowestOpen) this.#channel.ack(message)
    })
  }

  #send(settle: () => void): void {
    try {
      settle()
    } catch {
      // The channel is closed, so the broker redelivers the message, and the inbox deduplicates it.
    }
  }
}
