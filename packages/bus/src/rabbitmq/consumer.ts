import { setTimeout as delay } from 'node:timers/promises'
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib'
import { type ConsumerQueue, type DeliveryOptions, deliver, serialKey } from '../delivery.ts'
import type { Outcome } from '../retry.ts'
import { SerialByKey } from '../serial-by-key.ts'
import type { Acks } from './acks.ts'
import { reconnect } from './connection.ts'
import { copyOptions, readMessage } from './message.ts'
import type { Publisher } from './publisher.ts'
import { deadQueue, declareConsumerQueue, retryQueue } from './topology.ts'

const republishDelayMs = 500

/** The consumer of one queue. It outlives connections. */
export class QueueConsumer {
  readonly consumer: ConsumerQueue
  readonly serial = new SerialByKey()
  /** The time of occurrence of each message in flight. */
  readonly inFlight = new Map<ConsumeMessage, Date>()
  /** Messages received since the start. */
  taken = 0
  readonly #options: DeliveryOptions
  readonly #publisher: Publisher
  /** The current channel. Messages of an earlier connection cannot be acknowledged. */
  #current: { channel: Channel; model: ChannelModel; consumerTag: string } | undefined
  #stopping = false

  constructor(consumer: ConsumerQueue, publisher: Publisher, options: DeliveryOptions) {
    this.consumer = consumer
    this.#publisher = publisher
    this.#options = options
  }

  async setup(model: ChannelModel, channel: Channel, acks: Acks): Promise<void> {
    if (this.#stopping) return
    const { queue, event, prefetch } = this.consumer
    await declareConsumerQueue(channel, queue, event, this.#options.retryTiersMs)
    channel.on('close', () => {
      if (this.#current?.channel === channel) this.#current = undefined
    })
    await channel.prefetch(prefetch)
    const { consumerTag } = await channel.consume(queue, (message) => {
      // Null means that the queue was deleted. Reconnecting declares it again.
      if (message === null) void reconnect(model)
      else this.#take(channel, acks, message)
    })
    this.#current = { channel, model, consumerTag }
  }

  /** Stops consuming, then waits for the messages in flight. */
  async stop(): Promise<void> {
    this.#stopping = true
    // The connection may be down.
    if (this.#current) await this.#current.channel.cancel(this.#current.consumerTag).catch(() => {})
    await this.serial.idle()
  }

  #take(channel: Channel, acks: Acks, message: ConsumeMessage): void {
    acks.delivered(message)
    const now = this.#options.clock.now()
    const incoming = readMessage(message, now)
    this.taken++
    this.inFlight.set(message, incoming?.occurredAt ?? now)
    void this.serial.run(incoming && serialKey(this.consumer, incoming), async () => {
      const outcome: Outcome = incoming
        ? await deliver(this.consumer, incoming, this.#options)
        : { kind: 'dead', reason: 'unreadable', detail: 'no message id or no type' }
      if (await this.#keep(channel, message, outcome)) acks.ack(message)
      this.inFlight.delete(message)
    })
  }

  /**
   * Publishes a copy to the queue that the outcome requires and acknowledges the original once the copy is confirmed. A
   * crash in between duplicates the message and never loses it.
   */
  async #keep(channel: Channel, message: ConsumeMessage, outcome: Outcome): Promise<boolean> {
    const { queue } = this.consumer
    if (outcome.kind === 'done') return true
    if (outcome.kind === 'retry') {
      return this.#copy(channel, message, retryQueue(queue, outcome.delayMs), { attempt: outcome.attempt })
    }
    const { reason, detail } = outcome
    const died_at = this.#options.clock.now().toISOString()
    return this.#copy(channel, message, deadQueue(queue), { reason, detail, died_at })
  }

  /** False when the channel ended before the copy was confirmed; the broker then redelivers. */
  async #copy(
    channel: Channel,
    message: ConsumeMessage,
    target: string,
    headers: Record<string, unknown>,
  ): Promise<boolean> {
    do {
      try {
        const options = copyOptions(message, headers)
        if ((await this.#publisher.publish('', target, message.content, options)) === 'sent') return true
        this.#options.logger.warn('A retry or dead-letter queue is missing', { queue: target })
        if (this.#current) await reconnect(this.#current.model)
      } catch {
        await delay(republishDelayMs)
      }
    } while (this.#current?.channel === channel && !this.#stopping)
    return false
  }
}
