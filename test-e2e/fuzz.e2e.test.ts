import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { allEndpoints, type CreatedSession } from '@kyc/common'
import fc from 'fast-check'
import { Jimp } from 'jimp'
import { type Api, apiClient } from './support/api.ts'
import { type Named, requestOf } from './support/fuzz-requests.ts'
import { runFuzz } from './support/fuzz-run.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

const requests = Number(process.env.KYC_FUZZ_REQUESTS ?? 2_000)
const seed = Number(process.env.KYC_FUZZ_SEED ?? 20_260_301)
/** Memory in MB that may remain in use after this many requests: caches fill up, but nothing grows with the count. */
const growthMegabytes = 60

let system: TestSystem
let api: Api
let known: Record<string, string[]>
let photo: Buffer

beforeAll(async () => {
  system = await startTestSystem({
    TRUSTED_PROXIES: '127.0.0.1/32',
    // Searching the real lists would take most of the run, so it is included on request only.
    ...(process.env.KYC_FUZZ_LISTS ? {} : { SANCTIONS_DIR: '' }),
  })
  api = apiClient(system.url, system.app.api_key)
  // Small, because the test covers the path to the decoder and back, not the time to read a page.
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
afterAll(() => system.close())

/** Endpoints that read and decode photos: one in many requests, so that decoding does not dominate the run. */
const isSlow = (endpoint: Named) =>
  endpoint.multipart !== undefined || endpoint.operationId === 'checkAmlBatch'

const keys = () =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constant(system.app.api_key) },
    fc.constantFrom('', 'kyc_test_x', 'x'.repeat(500)),
  )

describe(`${requests} requests made from the contracts`, () => {
  test('get no 5xx, no hang, no undocumented response, and leak no memory', async () => {
    const { faults, statuses, grownMegabytes } = await runFuzz({
      url: system.url,
      requests,
      seed,
      endpoints: allEndpoints,
      weight: (endpoint) => (isSlow(endpoint) ? 1 : 6),
      arbitrary: (endpoint) => {
        const request = requestOf(endpoint, known, photo)
        if (endpoint.caller !== 'api_key') return request
        return fc
          .tuple(request, keys())
          .map(([given, key]) => ({ ...given, headers: { 'x-api-key': key, ...given.headers } }))
      },
    })
    expect(faults).toEqual([])
    process.stdout.write(
      `fuzz: ${requests} requests, answers ${JSON.stringify(statuses)}, memory ${grownMegabytes.toFixed(1)} MB more than after a quarter\n`,
    )
    expect(grownMegabytes).toBeLessThan(growthMegabytes)
    // A run whose requests were all rejected as unauthenticated would prove nothing.
    expect(statuses['200'] ?? 0).toBeGreaterThan(requests / 20)
    expect((await api.get('/health')).status).toBe(200)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  }, 3_600_000)
})
