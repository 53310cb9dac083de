import type { Logger } from '@kyc/runtime'
import type { ChannelModel, ConfirmChannel, Options } from 'amqplib'
import { openConfirmChannel } from './connection.ts'
import { eventExchange } from './topology.ts'

const publicationKey = (routingKey: string, messageId: unknown) => `${routingKey} ${messageId}`

/** Publishes with confirms on the publishing connection. While that is away or blocked it refuses at once. */
export class Publisher {
  readonly #logger: Logger
  readonly #onBlocked: (blocked: boolean) => void
  readonly #returned = new Set<string>()
  #channel: ConfirmChannel | undefined
  blocked = false

  constructor(logger: Logger, onBlocked: (blocked: boolean) => void) {
    this.#logger = logger
    this.#onBlocked = onBlocked
  }

  async setup(model: ChannelModel): Promise<void> {
    this.#setBlocked(false)
    model.on('blocked', () => this.#setBlocked(true))
    model.on('unblocked', () => this.#setBlocked(false))
    const channel = await openConfirmChannel(model, this.#logger, () => {
      this.#channel = undefined
      this.#returned.clear()
    })
    // A returned message is announced before its confirm.
    channel.on('return', ({ fields, properties }) =>
      this.#returned.add(publicationKey(fields.routingKey, properties.messageId)),
    )
    await channel.assertExchange(eventExchange, 'topic', { durable: true })
    this.#channel = channel
  }

  get connected(): boolean {
    return this.#channel !== undefined
  }

  /** Resolves when the broker has the message in its queues. Rejects when it may not have it. */
  publish(
    exchange: string,
    routingKey: string,
    content: Buffer,
    options: Options.Publish,
  ): Promise<'sent' | 'unroutable'> {
    const channel = this.#channel
    if (!channel || this.blocked) return Promise.reject(new Error('RabbitMQ takes no messages at the moment'))
    return new Promise((resolve, reject) => {
      channel.publish(exchange, routingKey, content, options, (error: Error | null) => {
        const unroutable = this.#returned.delete(publicationKey(routingKey, options.messageId))
        if (error) reject(error)
        else resolve(unroutable ? 'unroutable' : 'sent')
      })
    })
  }

  #setBlocked(blocked: boolean): void {
    if (this.blocked === blocked) return
    this.blocked = blocked
    this.#logger.warn(blocked ? 'RabbitMQ blocks publications' : 'RabbitMQ takes publications again')
    this.#onBlocked(blocked)
  }
}
