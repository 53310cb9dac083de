import type { Logger } from '@kyc/runtime'
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib'
import type { Responder } from '../requests.ts'
import { SerialByKey } from '../serial-by-key.ts'
import type { Acks } from './acks.ts'
import { openChannel, reconnect } from './connection.ts'
import { declareRequestQueue } from './topology.ts'

/** Answers one request contract. Replies leave on the publishing connection, so that an alarm blocks no consumer. */
export class RequestConsumer {
  readonly #responder: Responder
  readonly #replies: ReplyChannel
  readonly #serial = new SerialByKey()
  #cancel: (() => Promise<unknown>) | undefined
  #stopping = false

  constructor(responder: Responder, replies: ReplyChannel) {
    this.#responder = responder
    this.#replies = replies
  }

  async setup(model: ChannelModel, channel: Channel, acks: Acks): Promise<void> {
    if (this.#stopping) return
    await declareRequestQueue(channel, this.#responder.queue)
    await channel.prefetch(this.#responder.prefetch)
    const { consumerTag } = await channel.consume(this.#responder.queue, (message) => {
      if (message === null) void reconnect(model)
      else void this.#serial.run(undefined, () => this.#answer(acks, message))
    })
    this.#cancel = () => channel.cancel(consumerTag)
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
    // Acknowledged after the reply: a responder that dies leaves the request to another replica.
    if (this.#replies.send(replyTo, correlationId, reply)) acks.ack(message)
    else acks.nack(message)
  }
}

/** The channel replies leave on. */
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
    // Nobody waits for an answer: the request was published by hand.
    if (typeof replyTo !== 'string') return true
    if (!this.#channel) return false
    this.#channel.publish('', replyTo, Buffer.from(reply), { correlationId })
    return true
  }
}
