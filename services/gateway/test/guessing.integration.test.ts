import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createApiKey, findFlowLinks, rateLimitedPagePath } from '@kyc/common'
import { newId, newToken, sha256Hex } from '@kyc/runtime'
import type { ServiceHarness } from '@kyc/testing'
import supertest from 'supertest'
import { startGateway } from './gateway-harness.ts'

/**
 * The flow service: 200 for an existing link and 404 for any other. Both its HTTP responses and its bus responses are
 * based on `links`.
 */
const links = new Set<string>()
const forwarded: { url: string }[] = []
const lookups: number[] = []
const flow = { lookupFails: false }
const keyQueries: number[] = []
/** While a flood arrives, lookups wait until all of its requests have reached the gateway. */
const flood = { expected: 0, arrived: 0, release: () => {}, gate: Promise.resolve() }
function expectFlood(requests: number): void {
  flood.expected = requests
  flood.arrived = 0
  flood.gate = new Promise((resolve) => {
    flood.release = resolve
  })
}
const arrived = () => {
  if (++flood.arrived === flood.expected) setImmediate(flood.release)
}

let harness: ServiceHarness
let api: ReturnType<typeof supertest>

beforeAll(async () => {
  harness = await startGateway(
    (request, response) => {
      const token = decodeURIComponent(request.url?.split(/[/?]/)[2] ?? '')
      forwarded.push({ url: request.url ?? '' })
      request.resume()
      if (request.url === rateLimitedPagePath) {
        const headers = {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': "default-src 'none'; script-src 'self'",
        }
        response.writeHead(429, headers).end('<p>Try again later</p>')
        return
      }
      const known = !request.url?.startsWith('/flow/') || links.has(sha256Hex(token))
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    },
    {
      config: { TRUSTED_PROXIES: ['127.0.0.1/32'] },
      before: (bus) =>
        bus.respond(findFlowLinks, async ({ token_sha256 }) => {
          if (flow.lookupFails) throw new Error('the database is gone')
          lookups.push(token_sha256.length)
          await flood.gate
          return { known: token_sha256.filter((hash) => links.has(hash)) }
        }),
      change: (deps) => {
        const { query } = deps.database
        deps.database.query = async (text, values, name) => {
          if (text.includes('key_sha256 = ANY')) {
            const [hashes] = values as [unknown[]]
            keyQueries.push(hashes.length)
            await flood.gate
          }
          return query(text, values, name)
        }
        return deps
      },
    },
  )
  const listener = harness.service.app as RequestListener
  api = supertest((request: IncomingMessage, response: ServerResponse) => {
    listener(request, response)
    arrived()
  })
})
afterAll(() => harness.close())
afterEach(() => {
  for (const seen of [forwarded, lookups, keyQueries]) seen.length = 0
})

const newLink = (): string => {
  const token = newToken()
  links.add(sha256Hex(token))
  return token
}
const newKey = async () =>
  (
    await harness.bus.request(createApiKey, {
      app_id: newId('app'),
      environment: 'test',
      name: 'a key',
      expires_at: null,
      rate_limit_per_minute: null,
      scopes: null,
    })
  ).key
const from = (address: string) => ({ 'x-forwarded-for': address })
const state = (token: string, address: string) => api.get(`/flow/${token}/state`).set(from(address))
const ask = (key: string, address: string) =>
  api.get('/v1/sessions').set({ 'x-api-key': key, ...from(address) })
const unknownKey = () => `kyc_test_${newToken()}`
const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))

describe('a valid flow link', () => {
  test('that this replica has never seen is accepted after any number of guesses from its address', async () => {
    const address = '203.0.113.1'
    const guesses: number[] = []
    for (let guess = 0; guess < 14; guess++) guesses.push((await state(newToken(), address)).status)
    expect(guesses).toEqual([...Array(10).fill(404), ...Array(4).fill(429)])
    const opened = await state(newLink(), address)
    expect([opened.status, opened.headers['ratelimit-limit']]).toEqual([200, '60'])
    // Guesses are still rejected.
    expect((await state(newToken(), address)).status).toBe(429)
  })

  test('is accepted in the middle of a flood, which costs a few lookups and forwards no more than ten guesses', async () => {
    const address = '203.0.113.2'
    expectFlood(405)
    const guesses = times(400, () => state(newToken(), address).then(({ status }) => status))
    const valid = await times(5, () => state(newLink(), address).then(({ status }) => status))
    expect(valid).toEqual(Array(5).fill(200))
    const statuses = await guesses
    expect(statuses.filter((status) => status === 404)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(390)
    expect(forwarded).toHaveLength(15)
    expect(lookups.reduce((sum, size) => sum + size, 0)).toBe(405)
    // Two while the flood arrives, and one for all requests that waited in the meantime.
    expect(lookups.length).toBeLessThanOrEqual(3)
  })

  test('is accepted when its characters are percent-encoded', async () => {
    const address = '203.0.113.3'
    await times(11, () => state(newToken(), address))
    const token = newLink()
    const encoded = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`
    expect((await state(encoded, address)).status).toBe(200)
    expect((await state('%zz', address)).status).toBe(400)
  })

  test('is not looked up again for ten minutes, and is limited by its own limit', async () => {
    const address = '203.0.113.4'
    const token = newLink()
    const statuses: number[] = []
    for (let request = 0; request < 61; request++) statuses.push((await state(token, address)).status)
    expect(statuses).toEqual([...Array(60).fill(200), 429])
    expect(lookups).toEqual([1])
    expect((await state(newLink(), address)).status).toBe(200)
  })

  test('gets 503 with retry-after while links cannot be looked up, and no guess is forwarded', async () => {
    flow.lookupFails = true
    const refused = await state(newLink(), '203.0.113.5')
    flow.lookupFails = false
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
    expect(forwarded).toEqual([])
  })
})

describe('guesses of flow links', () => {
  test('are counted per IPv6 /64', async () => {
    const statuses: number[] = []
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await state(newToken(), `2001:db8:7:1::${guess + 1}`)).status)
    expect(statuses).toEqual([...Array(10).fill(404), 429, 429])
    expect((await state(newToken(), '2001:db8:7:2::1')).status).toBe(404)
  })

  test('are never treated as valid links when the flow rejects the request for another reason', async () => {
    const address = '203.0.113.6'
    const guess = newToken()
    const post = () => api.post(`/flow/${guess}/consent`).set(from(address)).send({ nonsense: true })
    for (let request = 0; request < 10; request++) await post()
    expect((await post()).status).toBe(429)
  })

  test('get 429 with the flow’s page for a browser that navigates, and JSON for every other client', async () => {
    const address = '203.0.113.7'
    const open = (accept: string) => api.get(`/flow/${newToken()}`).set({ accept, ...from(address) })
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'
    await times(10, () => open('*/*'))
    forwarded.length = 0
    const program = await open('application/json')
    expect([program.status, program.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(program.headers['retry-after'])).toBeGreaterThan(0)

    const pages = await times(50, () => open(browser))
    for (const page of pages) {
      expect([page.status, page.text]).toEqual([429, '<p>Try again later</p>'])
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.headers['content-security-policy']).toBe("default-src 'none'; script-src 'self'")
      expect(Number(page.headers['retry-after'])).toBeGreaterThan(0)
    }
    // A flood of navigations does not reach the flow.
    expect(forwarded.map(({ url }) => url)).toEqual([rateLimitedPagePath])
    // A call from the page is not a navigation.
    const call = await state(newToken(), address).set('accept', browser)
    expect([call.status, call.body.error.code]).toEqual([429, 'rate_limited'])
    // A person with a valid link gets their page.
    expect((await api.get(`/flow/${newLink()}`).set({ accept: browser, ...from(address) })).status).toBe(200)
  })
})

describe('a valid API key', () => {
  test('that this replica has never seen is accepted after any number of guesses from its address', async () => {
    const address = '203.0.113.8'
    const statuses: number[] = []
    for (let guess = 0; guess < 14; guess++) statuses.push((await ask(unknownKey(), address)).status)
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)])
    expect((await ask(await newKey(), address)).status).toBe(200)
  })

  test('is accepted in the middle of a flood, whose keys are looked up in a few shared statements', async () => {
    const address = '203.0.113.9'
    const key = await newKey()
    expectFlood(401)
    const guesses = times(400, () => ask(unknownKey(), address).then(({ status }) => status))
    expect((await ask(key, address)).status).toBe(200)
    expect((await guesses).filter((status) => status === 401)).toHaveLength(10)
    expect(keyQueries.reduce((sum, size) => sum + size, 0)).toBe(401)
    expect(keyQueries.length).toBeLessThanOrEqual(3)
    keyQueries.length = 0
    // Unknown keys have not displaced it from the cache.
    expect((await ask(key, address)).status).toBe(200)
    expect(keyQueries).toEqual([])
  })
})
