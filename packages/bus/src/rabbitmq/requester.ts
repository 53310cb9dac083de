import { randomUUID } from 'node:crypto'
import { PublicError, type RequestContract, UnavailableError } from '@kyc/common'
import type { Logger } from '@kyc/runtime'
import type { Channel, ChannelModel } from 'amqplib'
import type { z } from 'zod'
import type { BusHooks, RequestOptions } from '../bus.ts'
import { RequestTimeoutError } from '../errors.ts'
import { readReply, requestQueue } from '../requests.ts'
import { openChannel } from './connection.ts'

const replyQueue = 'amq.rabbitmq.reply-to'

type Pending = {
  queue: string
  content: Buffer
  headers: Record<string, unknown>
  expiresAt: number
  resolve(reply: string): void
  reject(error: Error): void
}

/** Requests over direct reply-to. What is unanswered when the connection returns is asked again. */
export class Requester {
  readonly #logger: Logger
  readonly #hooks: BusHooks
  readonly #pending = new Map<string, Pending>()
  #channel: Channel | undefined
  #closed = false

  constructor(logger: Logger, hooks: BusHooks) {
    this.#logger = logger
    this.#hooks = hooks
  }

  async setup(model: ChannelModel): Promise<void> {
    const channel = await openChannel(model, this.#logger)
    channel.on('return', ({ properties }) =>
      this.#pending
        .get(properties.correlationId)
        ?.reject(new UnavailableError('A part of the service is not running.')),
    )
    channel.on('close', () => {
      if (this.#channel === channel) this.#channel = undefined
    })
    await channel.consume(
      replyQueue,
      (message) => this.#pending.get(message?.properties.correlationId)?.resolve(String(message?.content)),
      { noAck: true },
    )
    this.#channel = channel
    for (const [id, pending] of this.#pending) this.#send(id, pending)
  }

  async request<C extends RequestContract>(
    contract: C,
    payload: z.input<C['request']>,
    { deadlineMs = contract.deadline_ms, correlationId, traceparent }: RequestOptions = {},
  ): Promise<z.output<C['response']>> {
    if (this.#closed) throw new UnavailableError('The service is stopping.')
    const content = Buffer.from(JSON.stringify(contract.request.parse(payload)))
    const headers = { correlation_id: correlationId, traceparent }
    const id = randomUUID()
    const started = performance.now()
    const report = (outcome: 'answered' | 'refused' | 'failed' | 'timeout') =>
      this.#hooks.onRequested?.({
        name: contract.name,
        outcome,
        seconds: (performance.now() - started) / 1000,
      })
    let timer: NodeJS.Timeout | undefined
    try {
      const reply = await new Promise<string>((resolve, reject) => {
        timer = setTimeout(() => reject(new RequestTimeoutError(contract.name, deadlineMs)), deadlineMs)
        const expiresAt = started + deadlineMs
        const pending = { queue: requestQueue(contract), content, headers, expiresAt, resolve, reject }
        this.#pending.set(id, pending)
        this.#send(id, pending)
      })
      const response = readReply(contract, reply)
      report('answered')
      return response
    } catch (error) {
      const refused = error instanceof PublicError ? 'refused' : 'failed'
      report(error instanceof RequestTimeoutError ? 'timeout' : refused)
      throw error
    } finally {
      clearTimeout(timer)
      this.#pending.delete(id)
    }
  }

  close(): void {
    this.#closed = true
    for (const { reject } of this.#pending.values()) reject(new UnavailableError('The service is stopping.'))
  }

  #send(id: string, { queue, content, headers, expiresAt }: Pending): void {
    const remainingMs = Math.ceil(expiresAt - performance.now())
    // Without a channel it waits for the connection, within its deadline.
    if (!this.#channel || remainingMs <= 0) return
    this.#channel.publish('', queue, content, {
      mandatory: true,
      contentType: 'application/json',
      correlationId: id,
      replyTo: replyQueue,
      expiration: remainingMs,
      headers: { ...headers, deadline_ms: remainingMs },
    })
  }
}
