import { PublicError, type RequestContract, UnavailableError } from '@kyc/common'
import type { Logger } from '@kyc/runtime'
import type { z } from 'zod'
import type { BusHooks, RequestHandler, RequestOptions } from '../bus.ts'
import { RequestTimeoutError } from '../errors.ts'
import { type Responder, readReply, requestQueue, responder } from '../requests.ts'

/** Requests within one process. The texts that cross are those that would cross a broker. */
export class LocalRequests {
  readonly #logger: Logger
  readonly #hooks: BusHooks
  readonly #responders = new Map<string, Responder>()
  readonly #inFlight = new Set<Promise<string>>()

  constructor(logger: Logger, hooks: BusHooks) {
    this.#logger = logger
    this.#hooks = hooks
  }

  add<C extends RequestContract>(contract: C, handler: RequestHandler<C>): void {
    const queue = requestQueue(contract)
    if (this.#responders.has(queue)) throw new Error(`${queue} already has a responder`)
    this.#responders.set(queue, responder(contract, handler, this.#logger))
  }

  async request<C extends RequestContract>(
    contract: C,
    payload: z.input<C['request']>,
    { deadlineMs = contract.deadline_ms, correlationId, traceparent }: RequestOptions = {},
  ): Promise<z.output<C['response']>> {
    const text = JSON.stringify(contract.request.parse(payload))
    const target = this.#responders.get(requestQueue(contract))
    if (!target) throw new UnavailableError('A part of the service is not running.')
    const started = performance.now()
    const report = (outcome: 'answered' | 'refused' | 'failed' | 'timeout') =>
      this.#hooks.onRequested?.({
        name: contract.name,
        outcome,
        seconds: (performance.now() - started) / 1000,
      })

    const abort = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new RequestTimeoutError(contract.name, deadlineMs)
        abort.abort(error)
        reject(error)
      }, deadlineMs)
    })
    // A turn of the loop in between, as over a broker: no responder runs on its requester's stack.
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
      target.answer(text, { correlationId, traceparent, signal: abort.signal }),
    )
    this.#inFlight.add(answer)
    void answer.finally(() => this.#inFlight.delete(answer))
    try {
      const response = readReply(contract, await Promise.race([answer, deadline]))
      report('answered')
      return response
    } catch (error) {
      const refused = error instanceof PublicError ? 'refused' : 'failed'
      report(error instanceof RequestTimeoutError ? 'timeout' : refused)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight)
  }
}
