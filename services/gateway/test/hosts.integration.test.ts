import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createApiKey, findFlowLinks } from '@kyc/common'
import { newId, newToken } from '@kyc/runtime'
import type { ServiceHarness } from '@kyc/testing'
import supertest from 'supertest'
import { startGateway } from './gateway-harness.ts'

const hosts = { api: 'localhost', flow: 'verify.example.org', console: 'console.example.org' }

let harness: ServiceHarness
let key: string
let forwarded = 0
const warnings: { message: string; fields: unknown }[] = []

beforeAll(async () => {
  harness = await startGateway(
    (request, response) => {
      forwarded++
      request.resume()
      response.end('{}')
    },
    {
      config: { FLOW_URL: `https://${hosts.flow}`, CONSOLE_URL: `https://${hosts.console}` },
      before: (bus) => bus.respond(findFlowLinks, async ({ token_sha256 }) => ({ known: token_sha256 })),
      change: (deps) => ({
        ...deps,
        logger: { ...deps.logger, warn: (message, fields) => warnings.push({ message, fields }) },
      }),
    },
  )
  const made = await harness.bus.request(createApiKey, {
    app_id: newId('app'),
    environment: 'test',
    name: 'a key',
    expires_at: null,
    rate_limit_per_minute: null,
    scopes: null,
  })
  key = made.key
})
afterAll(() => harness.close())

const get = (path: string, host: string) =>
  supertest(harness.service.app).get(path).set({ host, 'x-api-key': key })

describe('with a host name for each application', () => {
  test.each([
    ['api', '/v1/sessions'],
    ['api', '/openapi.json'],
    ['api', '/docs'],
    ['flow', `/flow/${newToken()}`],
    ['flow', `/flow/${newToken()}/state`],
    ['flow', '/flow-assets/app.js'],
    ['console', '/console'],
    ['console', '/console/api/me'],
  ] as const)('the host of the %s alone serves %s', async (own, path) => {
    for (const [application, host] of Object.entries(hosts)) {
      const before = forwarded
      const reply = await get(path, host)
      if (application === own) expect(reply.status).toBeLessThan(400)
      else {
        expect([host, reply.status, reply.body.error.code]).toEqual([host, 404, 'not_found'])
        expect(forwarded).toBe(before)
      }
    }
    expect((await get(path, 'attacker.example')).status).toBe(404)
  })

  test('a probe can reach /health by address', async () => {
    expect((await get('/health', '10.244.3.7:8080')).status).toBe(200)
  })
})

test('a proxy that TRUSTED_PROXIES does not name is reported in a metric, and once a minute in the log', async () => {
  warnings.length = 0
  const proxied = () => get('/v1/sessions', hosts.api).set('x-forwarded-for', '203.0.113.9')
  harness.clock.advance({ minutes: 2 })
  await proxied()
  warnings.length = 0
  for (let request = 0; request < 12; request++) expect((await proxied()).status).toBe(200)
  // Probes carry no header and do not count as traffic.
  await get('/health', hosts.api)
  harness.clock.advance({ minutes: 1 })
  await proxied()
  await proxied()
  expect(warnings).toEqual([
    {
      message:
        'all requests of the last minute carry x-forwarded-for from an untrusted peer; set TRUSTED_PROXIES',
      fields: { requests: 13 },
    },
  ])
  const metrics = await harness.deps.metrics.registry.metrics()
  expect(metrics).toMatch(/gateway_client_addresses_total\{source="ignored",service="gateway"\} 15/)
})
