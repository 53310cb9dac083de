import type { Logger } from '@kyc/runtime'
import type { ChannelModel, ConfirmChannel, Options } from 'amqplib'
import { openConfirmChannel, reconnect } from './connection.ts'
import { eventExchange } from './topology.ts'

/**
 * After this long without a confirm, the broker is assumed to be stuck (a queue without a leader). Another connection
 * may work.
 */
const confirmWithinMs = 20_000
const lookEveryMs = 2_000
/**
 * A channel that is opened after the leader of a quorum queue died and before another is elected keeps contacting the
 * dead leader, and rejects every message for that queue until the node returns (RabbitMQ 3.10). A channel opened later
 * does not.
 */
const refusedForMs = 5_000

const publicationKey = (routingKey: string, messageId: unknown) => `${routingKey} ${messageId}`

/** Publishes with confirms on the publishing connection. Rejects immediately while that is down or blocked. */
export class Publisher {
  readonly #logger: Logger
  readonly #onBlocked: (blocked: boolean) => void
  readonly #returned = new Set<string>()
  #model: ChannelModel | undefined
  #channel: ConfirmChannel | undefined
  /** The number of unconfirmed publications, and when it was last zero or the last confirm arrived. */
  #outstanding = 0
  #progressAt = 0
  /** Per routing key, the time since when every publication has been rejected. */
  readonly #refusedSince = new Map<string, number>()
  blocked = false

  constructor(logger: Logger, onBlocked: (blocked: boolean) => void) {
    this.#logger = logger
    this.#onBlocked = onBlocked
  }

  async setup(model: ChannelModel): Promise<void> {
    this.#setBlocked(false)
    model.on('blocked', () => this.#setBlocked(true))
    model.on('unblocked', () => this.#setBlocked(false))
    const watch = setInterval(() => this.#watch(model), lookEveryMs)
    watch.unref()
    model.on('close', () => clearInterval(watch))
    const channel = await openConfirmChannel(model, this.#logger, () => {
      clearInterval(watch)
      this.#channel = undefined
      this.#returned.clear()
    })
    // The broker sends the return of a message before its confirm.
    channel.on('return', ({ fields, properties }) =>
      this.#returned.add(publicationKey(fields.routingKey, properties.messageId)),
    )
    await channel.assertExchange(eventExchange, 'topic', { durable: true })
    this.#model = model
    this.#refusedSince.clear()
    this.#channel = channel
  }

  get connected(): boolean {
    return this.#channel !== undefined
  }

  /** Resolves when the broker has the message in its queues. Rejects when that is uncertain. */
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
        this.#outstanding--
        this.#progressAt = performance.now()
        const unroutable = this.#returned.delete(publicationKey(routingKey, options.messageId))
        if (this.#channel === channel) this.#noteAnswer(routingKey, error !== null)
        if (error) reject(error)
        else resolve(unroutable ? 'unroutable' : 'sent')
      })
      // Incremented after the call, because publishing on a closed channel throws, and then nothing is outstanding.
      if (this.#outstanding++ === 0) this.#progressAt = performance.now()
    })
  }

  /**
   * Closes a connection that keeps rejecting a routing key. On the next connection, its queues may have a leader again.
   */
  #noteAnswer(routingKey: string, refused: boolean): void {
    if (!refused) {
      this.#refusedSince.delete(routingKey)
      return
    }
    const since = this.#refusedSince.get(routingKey) ?? performance.now()
    this.#refusedSince.set(routingKey, since)
    if (!this.#model || performance.now() - since < refusedForMs) return
    this.#logger.warn('RabbitMQ refuses what is published; connecting again', { routing_key: routingKey })
    this.#refusedSince.clear()
    void reconnect(this.#model)
  }

  /**
   * Closes a connection without confirms. Every outstanding publication is rejected and repeated on the next
   * connection.
   */
  #watch(model: ChannelModel): void {
    if (this.#outstanding === 0 || this.blocked) return
    if (performance.now() - this.#progressAt < confirmWithinMs) return
    this.#logger.warn('RabbitMQ confirms nothing; connecting again', { outstanding: this.#outstanding })
    this.#progressAt = performance.now()
    void reconnect(model)
  }

  #setBlocked(blocked: boolean): void {
    if (this.blocked === blocked) return
    this.blocked = blocked
    this.#progressAt = performance.now()
    this.#logger.warn(blocked ? 'RabbitMQ blocks publications' : 'RabbitMQ takes publications again')
    this.#onBlocked(blocked)
  }
}
