import { describe, expect, test } from '@jest/globals'
import {
  type ApiError,
  ConflictError,
  ConnectionError,
  InternalError,
  Kyc,
  NotFoundError,
  RateLimitedError,
  TimeoutError,
} from './index.ts'

type Call = { url: string; method: string; headers: Record<string, string>; body: unknown }
type Reply = { status: number; body?: unknown; headers?: Record<string, string> } | Error | 'hang'

/** A service that returns one reply after the other and records the requests. */
function service(...replies: Reply[]) {
  const calls: Call[] = []
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    calls.push({
      url: String(url),
      method: String(init.method),
      headers: init.headers as Record<string, string>,
      body: init.body,
    })
    const reply = replies[Math.min(calls.length, replies.length) - 1] as Reply
    if (reply instanceof Error) throw reply
    if (reply === 'hang') {
      return new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      })
    }
    const text = reply.body === undefined ? null : JSON.stringify(reply.body)
    return new Response(text, { status: reply.status, headers: reply.headers ?? {} })
  }
  const kyc = new Kyc({
    apiKey: 'kyc_test_x',
    baseUrl: 'https://kyc.test/',
    fetch: fetch as typeof globalThis.fetch,
  })
  return { kyc, calls }
}

const error = (status: number, code: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: { error: { code, message: `It is ${code}.` } },
})
const soon = { 'retry-after': '0' }
const created = { status: 201, body: { session_id: 'ses_1' } }
const reset = new TypeError('fetch failed')

describe('a request', () => {
  test('carries the key, and encodes an id as one path segment', async () => {
    const { kyc, calls } = service({ status: 200, body: { session_id: 'a/b' } })
    await kyc.sessions.get('a/../b?c')
    expect(calls[0]).toMatchObject({
      url: 'https://kyc.test/v1/sessions/a%2F..%2Fb%3Fc',
      method: 'GET',
      headers: { 'x-api-key': 'kyc_test_x' },
    })
  })

  test('sends images as multipart and lets fetch set the boundary', async () => {
    const { kyc, calls } = service({ status: 200, body: {} })
    await kyc.checks.faceMatch({ image_a: new Uint8Array([1]), image_b: new Blob(['b']) })
    expect(calls[0]?.body).toBeInstanceOf(FormData)
    expect(calls[0]?.headers).not.toHaveProperty('content-type')
  })

  test('a purge has no body and returns nothing', async () => {
    const { kyc } = service({ status: 204 })
    expect(await kyc.sessions.purge('ses_1')).toBeUndefined()
  })
})

describe('a retry', () => {
  test('of a creation after a lost response carries the same idempotency key', async () => {
    const { kyc, calls } = service(reset, error(503, 'internal', soon), created)
    expect(await kyc.sessions.create({})).toEqual(created.body)
    const keys = calls.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(keys).size).toBe(1)
  })

  test.each<[string, (kyc: Kyc, options?: { idempotencyKey: string }) => Promise<unknown>]>([
    ['a check', (kyc, options) => kyc.checks.pan({ pan: 'AAAPT1234Q' }, options)],
    ['images', (kyc, options) => kyc.checks.document({ image: new Uint8Array([1]) }, options)],
    ['a redelivery', (kyc, options) => kyc.webhookDeliveries.redeliver('whd_1', options)],
    ['a step of a test session', (kyc, options) => kyc.test.advance('ses_1', 'processing', options)],
  ])('of %s after a lost response carries the same idempotency key', async (_, call) => {
    const { kyc, calls } = service(reset, error(409, 'conflict', soon), { status: 200, body: {} })
    await call(kyc)
    const keys = calls.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(keys).size).toBe(1)
    await call(kyc, { idempotencyKey: 'mine' })
    expect(calls.at(-1)?.headers).toHaveProperty('idempotency-key', 'mine')
  })

  test('two creations have different keys, and a key from the caller is used', async () => {
    const { kyc, calls } = service(created)
    await kyc.sessions.create({})
    await kyc.sessions.create({})
    await kyc.sessions.create({}, { idempotencyKey: 'order-17' })
    const keys = calls.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('order-17')
  })

  test('waits for the first request with the same key if the service says so', async () => {
    const { kyc, calls } = service(error(409, 'conflict', soon), created)
    await kyc.sessions.create({})
    expect(calls).toHaveLength(2)
  })

  test('never repeats a review decision after a lost response, but repeats one rejected by a rate limit', async () => {
    const lost = service(reset)
    await expect(lost.kyc.sessions.decide('ses_1', { status: 'approved' })).rejects.toThrow(ConnectionError)
    expect(lost.calls).toHaveLength(1)
    const limited = service(error(429, 'rate_limited', soon), { status: 200, body: {} })
    await limited.kyc.sessions.decide('ses_1', { status: 'approved' })
    expect(limited.calls).toHaveLength(2)
  })

  test.each([
    ['bad_request', 400],
    ['unauthorized', 401],
    ['not_found', 404],
    ['conflict', 409],
    ['unprocessable', 422],
  ])('is not made after %s', async (code, status) => {
    const { kyc, calls } = service(error(status, code))
    await expect(kyc.sessions.create({})).rejects.toMatchObject({ code, status })
    expect(calls).toHaveLength(1)
  })

  test('stops after maxRetries with the last error', async () => {
    const { kyc, calls } = service(error(500, 'internal', soon))
    await expect(kyc.sessions.get('ses_1', { maxRetries: 3 })).rejects.toThrow(InternalError)
    expect(calls).toHaveLength(4)
  })
})

describe('an error', () => {
  test('has a class for its code, and the data that a support request needs', async () => {
    const { kyc } = service(error(404, 'not_found', { 'x-request-id': 'req-1' }))
    const caught = await kyc.sessions.get('ses_1').catch((thrown: unknown) => thrown as ApiError)
    expect(caught).toBeInstanceOf(NotFoundError)
    expect(caught).toMatchObject({
      code: 'not_found',
      status: 404,
      requestId: 'req-1',
      message: 'It is not_found.',
    })
  })

  test('of a rate limit has the delay for a retry', async () => {
    const { kyc } = service(error(429, 'rate_limited', { 'retry-after': '7' }))
    const caught = await kyc.sessions.get('ses_1', { maxRetries: 0 }).catch((thrown: unknown) => thrown)
    expect(caught).toBeInstanceOf(RateLimitedError)
    expect(caught).toMatchObject({ retryAfterSeconds: 7 })
  })

  test('from a proxy is internal', async () => {
    const { kyc } = service({ status: 502, body: '<html>' })
    await expect(kyc.health({ maxRetries: 0 })).rejects.toMatchObject({ code: 'internal', status: 502 })
  })

  test('is also thrown for a redirect, so that the key is sent to no other host', async () => {
    const { kyc, calls } = service({ status: 307, headers: { location: 'https://elsewhere.test/' } })
    await expect(kyc.sessions.create({})).rejects.toMatchObject({ code: 'internal', status: 307 })
    expect(calls).toHaveLength(1)
  })

  test('with a code unknown to this client is internal, never undefined', async () => {
    const { kyc } = service(error(418, 'constructor'))
    await expect(kyc.health({ maxRetries: 0 })).rejects.toBeInstanceOf(InternalError)
  })
})

describe('timeouts and signals', () => {
  test('a missing response is a timeout, and a repeatable request is retried', async () => {
    const { kyc, calls } = service('hang', { status: 200, body: { ok: true } })
    expect(await kyc.health({ timeoutMs: 20 })).toEqual({ ok: true })
    expect(calls).toHaveLength(2)
    const never = service('hang')
    await expect(never.kyc.health({ timeoutMs: 20, maxRetries: 0 })).rejects.toThrow(TimeoutError)
  })

  test('the caller’s signal aborts a request and its retries, with the caller’s reason', async () => {
    const { kyc, calls } = service('hang')
    const abort = new AbortController()
    const pending = kyc.health({ signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
    expect(calls.length).toBeLessThanOrEqual(1)
    const waiting = service(error(503, 'internal', { 'retry-after': '60' }))
    const later = new AbortController()
    const between = waiting.kyc.health({ signal: later.signal })
    setImmediate(() => later.abort(new Error('enough')))
    await expect(between).rejects.toThrow('enough')
  })
})

describe('a list', () => {
  const pages = [1, 2, 3].map((page) => ({
    status: 200,
    body: { data: page < 3 ? [`${page}a`, `${page}b`] : ['3a'], page, page_size: 2, total: 5 },
  }))

  test('returns one page when awaited', async () => {
    const { kyc, calls } = service(...pages)
    expect((await kyc.sessions.list({ status: 'approved', page_size: 2 })).total).toBe(5)
    expect(calls.map(({ url }) => url)).toEqual([
      'https://kyc.test/v1/sessions?status=approved&page_size=2&page=1',
    ])
  })

  test('iterates over every item of every page, and stops requesting when the loop ends', async () => {
    const all = service(...pages)
    const seen: unknown[] = []
    for await (const item of all.kyc.sessions.list({ page_size: 2 })) seen.push(item)
    expect(seen).toEqual(['1a', '1b', '2a', '2b', '3a'])
    expect(all.calls).toHaveLength(3)
    const some = service(...pages)
    for await (const _ of some.kyc.sessions.list()) break
    expect(some.calls).toHaveLength(1)
  })

  test('ends if the list became shorter in the meantime', async () => {
    const empty = { status: 200, body: { data: [], page: 2, page_size: 2, total: 9 } }
    const { kyc, calls } = service(pages[0] as Reply, empty)
    const seen: unknown[] = []
    for await (const item of kyc.sessions.list()) seen.push(item)
    expect([seen.length, calls.length]).toEqual([2, 2])
  })
})

test('a batch yields each result as soon as its line is complete, however the bytes are split', async () => {
  const text = ['{"id":"é","matches":[]}', '{"id":"b","matches":[]}'].join('\n')
  const bytes = new TextEncoder().encode(`${text}\n`)
  const stream = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const fetch = async () => new Response(stream)
  const kyc = new Kyc({ apiKey: 'k', baseUrl: 'https://kyc.test', fetch: fetch as typeof globalThis.fetch })
  const ids: string[] = []
  for await (const { id } of kyc.checks.amlBatch([{ id: 'é', full_name: 'x' }])) ids.push(id)
  expect(ids).toEqual(['é', 'b'])
})

test('a conflict is distinguishable from other errors by its class', () => {
  expect(
    new ConflictError('x', { code: 'conflict', status: 409, requestId: null, retryAfterSeconds: null }).name,
  ).toBe('ConflictError')
})
