import { randomUUID } from 'node:crypto'
import { UnavailableError } from '@kyc/common'
import type { Logger } from '@kyc/runtime'
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib'
import type { Question } from '../requests.ts'
import { openChannel } from './connection.ts'

const replyQueue = 'amq.rabbitmq.reply-to'

type Pending = {
  queue: string
  question: Question
  expiresAt: number
  resolve(reply: string): void
  reject(error: Error): void
}

/** Requests over direct reply-to. Requests without a response are sent again after a reconnect. */
export class Requester {
  readonly #logger: Logger
  readonly #pending = new Map<string, Pending>()
  #channel: Channel | undefined

  constructor(logger: Logger) {
    this.#logger = logger
  }

  async setup(model: ChannelModel): Promise<void> {
    const channel = await openChannel(model, this.#logger, () => {
      this.#channel = undefined
    })
    channel.on('return', ({ properties }) => {
      const unavailable = new UnavailableError('A part of the service is not running.')
      this.#pending.get(properties.correlationId)?.reject(unavailable)
    })
    const onReply = (message: ConsumeMessage | null) =>
      this.#pending.get(message?.properties.correlationId)?.resolve(String(message?.content))
    await channel.consume(replyQueue, onReply, { noAck: true })
    this.#channel = channel
    for (const [id, pending] of this.#pending) this.#publish(id, pending)
  }

  async send(queue: string, question: Question): Promise<string> {
    const id = randomUUID()
    const expiresAt = performance.now() + question.deadlineMs
    question.signal.addEventListener('abort', () => this.#pending.delete(id))
    return new Promise<string>((resolve, reject) => {
      const pending = { queue, question, expiresAt, resolve, reject }
      this.#pending.set(id, pending)
      this.#publish(id, pending)
    })
  }

  /** Without a channel, the request waits for the connection, within its deadline. */
  #publish(id: string, { queue, question, expiresAt }: Pending): void {
    const remainingMs = Math.ceil(expiresAt - performance.now())
    if (!this.#channel || remainingMs <= 0) return
    const { text, correlationId, traceparent } = question
    this.#channel.publish('', queue, Buffer.from(text), {
      mandatory: true,
      contentType: 'application/json',
      correlationId: id,
      replyTo: replyQueue,
      expiration: remainingMs,
      headers: { correlation_id: correlationId, traceparent, deadline_ms: remainingMs },
    })
  }
}
