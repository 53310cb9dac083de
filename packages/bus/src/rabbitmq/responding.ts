import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '@kyc/runtime'
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib'
import type { Responder } from '../requests.ts'
import { SerialByKey } from '../serial-by-key.ts'
import type { Acks } from './acks.ts'
import { openChannel, reconnect } from './connection.ts'
import { declareRequestQueue } from './topology.ts'

/** How often a queue whose node was down is checked. */
const lookEveryMs = 1_000

/** Responds to one request contract. Replies use the publishing connection, so that an alarm blocks no consumer. */
export class RequestConsumer {
  readonly #responder: Responder
  readonly #replies: ReplyChannel
  readonly #logger: Logger
  readonly #serial = new SerialByKey()
  #cancel: (() => Promise<unknown>) | undefined
  #stopping = false

  constructor(responder: Responder, replies: ReplyChannel, logger: Logger) {
    this.#responder = responder
    this.#logger = logger
    this.#replies = replies
  }

  /**
   * If the queue's node is down, waits for it in the background, so that the other consumers of the connection
   * continue.
   */
  async setup(model: ChannelModel, channel: Channel, acks: Acks): Promise<void> {
    if (await this.#consume(model, channel, acks)) return
    this.#logger.warn('The node that a request queue is on is down', { queue: this.#responder.queue })
    void this.#consumeLater(model, channel, acks)
  }

  async #consumeLater(model: ChannelModel, channel: Channel, acks: Acks): Promise<void> {
    try {
      do await delay(lookEveryMs, undefined, { ref: false })
      while (!(await this.#consume(model, channel, acks)))
    } catch {
      // Whatever the failure was, reconnecting starts over.
      if (!this.#stopping) await reconnect(model)
    }
  }

  async #consume(model: ChannelModel, channel: Channel, acks: Acks): Promise<boolean> {
    const { queue, prefetch } = this.#responder
    if (!this.#stopping && !(await declareRequestQueue(model, queue))) return false
    if (this.#stopping) return true
    const onMessage = (message: ConsumeMessage | null) => {
      if (message === null) void reconnect(model)
      else void this.#serial.run(undefined, () => this.#answer(acks, message))
    }
    // Sent together, because the prefetch limit applies to the next consumer created on the channel, which others use
    // concurrently.
    const [, { consumerTag }] = await Promise.all([
      channel.prefetch(prefetch),
      channel.consume(queue, onMessage),
    ])
    this.#cancel = () => channel.cancel(consumerTag)
    return true
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#cancel?.().catch(() => {})
    await this.#serial.idle()
  }

  async #answer(acks: Acks, message: ConsumeMessage): Promise<void> {
    acks.delivered(message)
    const { headers = {}, correlationId, replyTo } = message.properties
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), Number(headers.deadline_ms) || 0).unref()
    const reply = await this.#responder.answer(message.content.toString('utf8'), {
      correlationId: headers.correlation_id,
      traceparent: headers.traceparent,
      signal: abort.signal,
    })
    clearTimeout(timer)
    // Acknowledged after the reply, so that a request of a responder that dies goes to another replica.
    if (this.#replies.send(replyTo, correlationId, reply)) acks.ack(message)
    else acks.nack(message)
  }
}

/** The channel for replies. */
export class ReplyChannel {
  readonly #logger: Logger
  #channel: Channel | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  async setup(model: ChannelModel): Promise<void> {
    const channel = await openChannel(model, this.#logger, () => {
      this.#channel = undefined
    })
    this.#channel = channel
  }

  send(replyTo: unknown, correlationId: string, reply: string): boolean {
    // Without `replyTo` nobody waits for a response, because the request was published manually.
    if (typeof replyTo !== 'string') return true
    if (!this.#channel) return false
    this.#channel.publish('', replyTo, Buffer.from(reply), { correlationId })
    return true
  }
}
