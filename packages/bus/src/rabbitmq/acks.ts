import type { Channel, ConsumeMessage } from 'amqplib'

/**
 * One channel's acknowledgements, those of a turn of the loop together: what has nothing open before it in one
 * frame, which is also one entry instead of many in the broker's log.
 */
export class Acks {
  readonly #channel: Channel
  /** Delivery tags in the order of their delivery, which is ascending. */
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

  /** Back into its queue, for any consumer. */
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
      // The channel is gone: the broker delivers the message again, and the inbox knows it.
    }
  }
}
