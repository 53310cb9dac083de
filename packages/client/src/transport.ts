import { ConnectionError, errorOfAnswer, RateLimitedError, TimeoutError } from './errors.ts'
import { type Repeat, routes } from './generated/routes.ts'
import type { Operations } from './generated/types.ts'
import { webCrypto } from './web-crypto.ts'

export type ClientOptions = {
  /** `kyc_test_…` or `kyc_live_…`. Store it in your backend only. */
  apiKey: string
  /** Where the service runs, e.g. `https://kyc.example.com`. */
  baseUrl: string
  /** Time limit of one attempt. Default 30,000. */
  timeoutMs?: number
  /** Attempts after the first, if a repetition is safe. Default 2. */
  maxRetries?: number
  /** Another `fetch`, for proxies and tests. */
  fetch?: typeof fetch
}

export type RequestOptions = {
  timeoutMs?: number
  maxRetries?: number
  /** Aborts the request and its retries. */
  signal?: AbortSignal
  /** For POST requests: the same key and body return the first response again. Generated if absent. */
  idempotencyKey?: string
}

type Parts<Op extends keyof Operations> = {
  [Part in 'params' | 'query' | 'body' as Operations[Op][Part] extends undefined
    ? never
    : Part]: Operations[Op][Part]
}

const firstDelayMs = 500
const longestDelayMs = 30_000

/** Sends requests: API key, timeout, retries, errors. */
export class Transport {
  readonly #options: Required<Omit<ClientOptions, 'fetch'>>
  readonly #fetch: typeof fetch

  constructor(options: ClientOptions) {
    if (!options.apiKey) throw new TypeError('apiKey is required')
    this.#options = {
      timeoutMs: 30_000,
      maxRetries: 2,
      ...options,
      baseUrl: options.baseUrl.replace(/\/+$/, ''),
    }
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  }

  async json<Op extends keyof Operations>(
    operation: Op,
    parts: Parts<Op>,
    options?: RequestOptions,
  ): Promise<Operations[Op]['answer']> {
    const response = await this.send(operation, parts, options)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as Operations[Op]['answer']
  }

  /** Returns a successful response with its body unread. */
  async send<Op extends keyof Operations>(
    operation: Op,
    parts: Parts<Op>,
    options: RequestOptions = {},
  ): Promise<Response> {
    const [method, path, repeat] = routes[operation]
    const { params, query, body } = parts as { params?: object; query?: object; body?: object }
    const { contentType, payload } = encode(operation, body)
    const headers: Record<string, string> = { 'x-api-key': this.#options.apiKey, accept: '*/*' }
    if (contentType) headers['content-type'] = contentType
    // Chosen once, before the first attempt, so that a retry after a lost response does not take effect a second time.
    if (repeat === 'keyed')
      headers['idempotency-key'] = options.idempotencyKey ?? (await webCrypto()).randomUUID()
    const request = { method, headers, ...(payload === undefined ? {} : { body: payload }) }
    return this.#attempts(
      `${this.#options.baseUrl}${fill(path, params)}${search(query)}`,
      request,
      repeat,
      options,
    )
  }

  async #attempts(
    url: string,
    request: RequestInit,
    repeat: Repeat,
    options: RequestOptions,
  ): Promise<Response> {
    const maxRetries = options.maxRetries ?? this.#options.maxRetries
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(url, request, options)
      } catch (error) {
        if (options.signal?.aborted || attempt >= maxRetries || !isRetryable(error, repeat)) throw error
        await pause(delayMs(attempt, error), options.signal)
      }
    }
  }

  async #attempt(url: string, request: RequestInit, options: RequestOptions): Promise<Response> {
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs
    const timer = new AbortController()
    const timeout = setTimeout(() => timer.abort(), timeoutMs)
    const abort = () => timer.abort()
    options.signal?.addEventListener('abort', abort, { once: true })
    try {
      options.signal?.throwIfAborted()
      // Redirects are never followed, so that the key reaches no other host. Edge runtimes do not support `error` here.
      const response = await this.#fetch(url, { ...request, signal: timer.signal, redirect: 'manual' })
      if (response.ok) return response
      const text = await response.text()
      throw errorOfAnswer(response.status, response.headers, parsed(text))
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason
      if (timer.signal.aborted) throw new TimeoutError(`No answer within ${timeoutMs} ms.`, { cause: error })
      if (error instanceof TypeError)
        throw new ConnectionError('The service could not be reached.', { cause: error })
      throw error
    } finally {
      clearTimeout(timeout)
      options.signal?.removeEventListener('abort', abort)
    }
  }
}

/**
 * A rejected request had no effect and can always be retried; after a lost response only if a repetition is harmless.
 */
function isRetryable(error: unknown, repeat: Repeat): boolean {
  if (error instanceof RateLimitedError) return true
  if (repeat === 'once') return false
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  const { status, retryAfterSeconds } = error as { status?: number; retryAfterSeconds?: number | null }
  // A conflict with a retry-after means that the first request with this Idempotency-Key is still running.
  return status !== undefined && (status >= 500 || (status === 409 && retryAfterSeconds !== null))
}

/**
 * Exponential back-off, with jitter so that many clients do not retry at the same time. A retry-after from the service
 * takes precedence.
 */
function delayMs(attempt: number, error: unknown): number {
  const { retryAfterSeconds } = error as { retryAfterSeconds?: number | null }
  if (typeof retryAfterSeconds === 'number') return Math.min(retryAfterSeconds * 1000, 60_000)
  return Math.min(firstDelayMs * 2 ** attempt, longestDelayMs) * (0.5 + Math.random() / 2)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

const fill = (path: string, params: object = {}): string =>
  Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`:${name}`, encodeURIComponent(String(value))),
    path,
  )

function search(query: object = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))}`
}

const uploads: ReadonlySet<keyof Operations> = new Set(['matchFaces', 'readDocument'])

function encode(
  operation: keyof Operations,
  body: object | undefined,
): { contentType?: string; payload?: NonNullable<RequestInit['body']> } {
  if (body === undefined) return {}
  if (!uploads.has(operation)) return { contentType: 'application/json', payload: JSON.stringify(body) }
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    form.set(
      name,
      typeof value === 'string' || value instanceof Blob
        ? value
        : new Blob([value as Uint8Array<ArrayBuffer>]),
    )
  }
  return { payload: form }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
