import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  allEndpoints,
  type CreatedSession,
  type Endpoint,
  errorCodes,
  errorEnvelope,
  maxLivenessFrames,
} from '@kyc/common'
import fc, { type Arbitrary } from 'fast-check'
import { Jimp } from 'jimp'
import { z } from 'zod'
import { type Api, apiClient } from './support/api.ts'
import { hostileBodies, nearlyValidOf, pathOf, queryOf, validOf } from './support/fuzz-arbitraries.ts'
import { multipartOf } from './support/multipart.ts'
import { mutated } from './support/mutate.ts'
import { type RawAnswer, type RawRequest, rawAgent, sendRaw } from './support/raw-request.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

const requests = Number(process.env.KYC_FUZZ_REQUESTS ?? 2_000)
const seed = Number(process.env.KYC_FUZZ_SEED ?? 20_260_301)
const concurrency = 12
/** What may stay of this many requests in memory, in MB: caches fill up, nothing grows with the count. */
const growthMegabytes = 60

let system: TestSystem
let api: Api
let known: Record<string, string[]>
let photo: Buffer
const agent = rawAgent()

beforeAll(async () => {
  system = await startTestSystem({
    TRUSTED_PROXIES: '127.0.0.1/32',
    // Searching the real lists is most of the time of a run; asked for, it is part of it.
    ...(process.env.KYC_FUZZ_LISTS ? {} : { SANCTIONS_DIR: '' }),
  })
  api = apiClient(system.url, system.app.api_key)
  // Small: what is tried is the way to the decoder and back, not how long a page takes to read.
  photo = await new Jimp({ width: 96, height: 64, color: 0xf4f1e6ff }).getBuffer('image/jpeg')
  const created = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      api.post<CreatedSession>(
        '/v1/sessions',
        index % 2 === 0 ? {} : { metadata: { a: 1 }, vendor_data: 'v' },
      ),
    ),
  )
  const sessions = created.map((answer) => answer.body)
  await api.delete(`/v1/sessions/${sessions[0]?.session_id}`)
  const deliveries = await api.get<{ data: { delivery_id: string }[] }>('/v1/webhook-deliveries')
  known = {
    session_id: sessions.map((session) => session.session_id),
    token: sessions.map((session) => session.session_token),
    delivery_id: deliveries.body.data.map((delivery) => delivery.delivery_id),
  }
})
afterAll(async () => {
  agent.destroy()
  await system.close()
})

type Named = Endpoint & { operationId: string }

const json = { 'content-type': 'application/json' }

/** Bodies of an endpoint with their headers: valid, nearly valid, hostile. */
function bodyOf(endpoint: Endpoint): Arbitrary<{ headers: Record<string, string>; body: Buffer | null }> {
  const hostile = fc.record({
    headers: fc.constantFrom<Record<string, string>>(
      json,
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'multipart/form-data' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { ...json, 'content-encoding': 'gzip' },
      { ...json, 'content-encoding': 'br' },
      {},
    ),
    body: hostileBodies,
  })
  if (endpoint.multipart) {
    const fields = endpoint.multipart.fields ?? z.object({})
    const file = fc.oneof(
      { weight: 1, arbitrary: fc.constant(photo) },
      { weight: 6, arbitrary: mutated(photo) },
      { weight: 3, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    )
    const form = fc
      .tuple(
        fc.oneof({ weight: 3, arbitrary: validOf(fields) }, nearlyValidOf(fields)),
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(endpoint.multipart.files), 'x'), file), {
          maxLength: maxLivenessFrames + 2,
          size: 'small',
        }),
        fc.boolean(),
      )
      .map(([values, files, cut]) => multipartOf(values, files, cut))
    return fc.oneof({ weight: 4, arbitrary: form }, hostile)
  }
  if (!endpoint.body)
    return fc.oneof({ weight: 5, arbitrary: fc.constant({ headers: {}, body: null }) }, hostile)
  const asJson = (value: unknown) => ({ headers: json, body: Buffer.from(JSON.stringify(value) ?? 'null') })
  return fc.oneof(
    { weight: 4, arbitrary: validOf(endpoint.body).map(asJson) },
    { weight: 4, arbitrary: nearlyValidOf(endpoint.body).map(asJson) },
    { weight: 2, arbitrary: hostile },
  )
}

const strangeHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom<Record<string, string>>(
    { 'idempotency-key': 'same' },
    { 'idempotency-key': 'x'.repeat(300) },
    { 'x-kyc-identity': 'eyJhbGciOiJub25lIn0.e30.' },
    { 'x-http-method-override': 'DELETE' },
    { 'accept-language': 'x'.repeat(4_000) },
    { 'x-forwarded-host': 'evil.example' },
    { connection: 'x-api-key, x-kyc-identity' },
    { cookie: `a=${'b'.repeat(3_000)}` },
    { range: 'bytes=0-1' },
    { traceparent: '00-zz-zz-zz' },
    { origin: 'https://evil.example' },
  ),
)

function requestOf(endpoint: Named): Arbitrary<RawRequest> {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']
  return fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant(endpoint.method.toUpperCase()) },
        fc.constantFrom(...methods),
      ),
      path: pathOf(endpoint, known),
      query: queryOf(endpoint),
      content: bodyOf(endpoint),
      extra: strangeHeaders,
      key: fc.oneof(
        { weight: 15, arbitrary: fc.constant(system.app.api_key) },
        fc.constantFrom('', 'kyc_test_x', 'x'.repeat(500)),
      ),
      // So that guesses at links are not all held up as one neighbour's.
      address: fc.ipV4(),
    })
    .map(({ method, path, query, content, extra, key, address }) => ({
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: {
        'x-forwarded-for': address,
        ...(endpoint.caller === 'api_key' ? { 'x-api-key': key } : {}),
        ...content.headers,
        ...extra,
      },
      body: content.body,
    }))
}

/** What no answer may be, whatever was asked. */
function faultOf(endpoint: Named, request: RawRequest, answer: RawAnswer): string | null {
  const { status, headers, body, ms } = answer
  if (status >= 500) return `status ${status}: ${body.slice(0, 200)}`
  if (ms > 20_000) return `${Math.round(ms)} ms`
  if (headers['access-control-allow-origin'] !== undefined) return 'another origin may read it'
  if (headers['x-powered-by'] !== undefined) return 'it says what it is made of'
  if (body.includes('node_modules') || body.includes('    at ')) return 'it shows a stack'
  if (request.method === 'HEAD') return null
  if (status >= 400) {
    const parsed = errorEnvelope.strict().safeParse(parseJson(body))
    // The page itself says that a link is unknown, as a page.
    if (endpoint.success.type === 'html' && String(headers['content-type']).startsWith('text/html'))
      return null
    if (!parsed.success) return `status ${status} without the envelope: ${body.slice(0, 200)}`
    if (!(errorCodes as string[]).includes(parsed.data.error.code)) return `code ${parsed.data.error.code}`
    return null
  }
  const same = request.method.toLowerCase() === endpoint.method
  if (!same || status !== endpoint.success.status || !endpoint.success.body || endpoint.success.type)
    return null
  const fits = endpoint.success.body.safeParse(parseJson(body))
  return fits.success ? null : `an answer that is not the contract's: ${fits.error.issues[0]?.path.join('.')}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bytes in use when nothing that could be freed is left. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Reads and decodes photos: one in many requests, so that the run is not all decoding. */
const isSlow = (endpoint: Named) =>
  endpoint.multipart !== undefined || endpoint.operationId === 'checkAmlBatch'

describe(`${requests} requests made from the contracts`, () => {
  test('get no 5xx, no hang, no other shape of answer, and leave no memory behind', async () => {
    const endpoints = allEndpoints as readonly Named[]
    const any = fc.oneof(
      ...endpoints.map((endpoint) => ({
        weight: isSlow(endpoint) ? 1 : 6,
        arbitrary: requestOf(endpoint).map((request) => ({ endpoint, request })),
      })),
    )
    const faults: string[] = []
    const statuses: Record<string, number> = {}
    const page = 250
    let warm = 0
    for (let done = 0; done < requests && faults.length < 10; done += page) {
      const queue = fc.sample(any, { numRuns: Math.min(page, requests - done), seed: seed + done })
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          for (let item = queue.pop(); item; item = queue.pop()) {
            const { endpoint, request } = item
            const shown = `${endpoint.operationId} ${request.method} ${request.path.slice(0, 200)} ${JSON.stringify(request.headers).slice(0, 300)} ${request.body?.toString('latin1').slice(0, 300)}`
            try {
              const answer = await sendRaw(system.url, agent, request)
              statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
              const fault = faultOf(endpoint, request, answer)
              if (fault) faults.push(`${fault} <- ${shown}`)
            } catch (error) {
              faults.push(`${String(error)} <- ${shown}`)
            }
          }
        }),
      )
      // Caches, pools and compiled patterns are there after a quarter.
      if (warm === 0 && done + page >= requests / 4) warm = liveBytes()
    }
    expect(faults).toEqual([])
    const grown = (liveBytes() - warm) / 1e6
    process.stdout.write(
      `fuzz: ${requests} requests, answers ${JSON.stringify(statuses)}, memory ${grown.toFixed(1)} MB more than after a quarter\n`,
    )
    expect(grown).toBeLessThan(growthMegabytes)
    // A run that was refused at the door has shown nothing.
    expect(statuses['200'] ?? 0).toBeGreaterThan(requests / 20)
    expect((await api.get('/health')).status).toBe(200)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  }, 3_600_000)
})
