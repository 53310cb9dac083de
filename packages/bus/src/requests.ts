import { type ErrorCode, PublicError, type RequestContract, UnavailableError } from '@kyc/common'
import { isTraceparent, type Logger, startSpan } from '@kyc/runtime'
import type { z } from 'zod'
import type { BusHooks, RequestContext, RequestHandler, RequestOptions } from './bus.ts'
import { RemoteError, RequestTimeoutError } from './errors.ts'

/** The response as it is sent to the requester. The text of an error that is not public is not sent. */
type Reply =
  | { ok: true; response: unknown }
  | { ok: false; error: { code: ErrorCode; message: string; retry_after_seconds?: number } }
  | { ok: false; error: null }

/** The queue (and the in-process address) of one version of a request. */
export const requestQueue = (contract: RequestContract): string => `${contract.name}.v${contract.version}`

/** A registered responder without its contract's types: takes and returns JSON text, and never throws. */
export type Responder = {
  queue: string
  prefetch: number
  answer(request: string, context: RequestContext): Promise<string>
}

const defaultPrefetch = 16

export function responder<C extends RequestContract>(
  contract: C,
  handler: RequestHandler<C>,
  logger: Logger,
  prefetch = defaultPrefetch,
): Responder {
  const reply = async (request: string, context: RequestContext): Promise<Reply> => {
    try {
      const answer = await handler(
        contract.request.parse(JSON.parse(request)) as z.output<C['request']>,
        context,
      )
      return { ok: true, response: contract.response.parse(answer) }
    } catch (error) {
      if (error instanceof PublicError) {
        const { code, message, retryAfterSeconds } = error
        return { ok: false, error: { code, message, retry_after_seconds: retryAfterSeconds } }
      }
      logger.error('A responder failed', { request: contract.name, error })
      return { ok: false, error: null }
    }
  }
  return {
    queue: requestQueue(contract),
    prefetch,
    answer: async (request, context) => {
      const span = startSpan(contract.name, {
        kind: 'server',
        parent: isTraceparent(context.traceparent) ? context.traceparent : undefined,
      })
      const replied = await reply(request, { ...context, traceparent: span.traceparent })
      span.end({ failed: !replied.ok && replied.error === null })
      return JSON.stringify(replied)
    },
  }
}

/** An outgoing request: its text and its deadline. */
export type Question = {
  text: string
  deadlineMs: number
  correlationId: string | undefined
  traceparent: string | undefined
  /** Aborts when the request has ended, with a response or an error. */
  signal: AbortSignal
}

/**
 * Validates request and response, enforces the deadline and converts the reply into a response or an error. `send` is
 * the transport.
 */
export async function ask<C extends RequestContract>(
  contract: C,
  payload: z.input<C['request']>,
  { deadlineMs = contract.deadline_ms, correlationId, traceparent }: RequestOptions,
  hooks: BusHooks,
  send: (question: Question) => Promise<string>,
): Promise<z.output<C['response']>> {
  const text = JSON.stringify(contract.request.parse(payload))
  const started = performance.now()
  const report = (outcome: 'answered' | 'refused' | 'failed' | 'timeout') =>
    hooks.onRequested?.({ name: contract.name, outcome, seconds: (performance.now() - started) / 1000 })
  const ended = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RequestTimeoutError(contract.name, deadlineMs)), deadlineMs)
  })
  try {
    const sent = send({ text, deadlineMs, correlationId, traceparent, signal: ended.signal })
    const response = readReply(contract, await Promise.race([sent, deadline]))
    report('answered')
    return response
  } catch (error) {
    const refused = error instanceof PublicError ? 'refused' : 'failed'
    report(error instanceof RequestTimeoutError ? 'timeout' : refused)
    throw error
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}

function readReply<C extends RequestContract>(contract: C, text: string): z.output<C['response']> {
  const reply = JSON.parse(text) as Reply
  if (reply.ok) return contract.response.parse(reply.response) as z.output<C['response']>
  if (reply.error === null) throw new RemoteError(`The responder of ${contract.name} failed`)
  const { code, message, retry_after_seconds: retryAfterSeconds } = reply.error
  if (code === 'internal' && retryAfterSeconds !== undefined) {
    throw new UnavailableError(message, retryAfterSeconds)
  }
  throw new PublicError(code, message, { retryAfterSeconds })
}

/** The responders of a process, by queue. */
export class Responders {
  readonly byQueue = new Map<string, Responder>()

  add(each: Responder): void {
    if (this.byQueue.has(each.queue)) throw new Error(`${each.queue} already has a responder`)
    this.byQueue.set(each.queue, each)
  }
}
