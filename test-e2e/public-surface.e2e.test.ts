import { statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freePort } from '@kyc/runtime'
import { startTestSystem, type TestSystem, temporaryFolder } from './support/system.ts'

let system: TestSystem
let metricsUrl: string
let folder: string
beforeAll(async () => {
  folder = await temporaryFolder()
  const port = await freePort()
  metricsUrl = `http://127.0.0.1:${port}`
  system = await startTestSystem({ SANCTIONS_DIR: '', METRICS_PORT: String(port), DATA_DIR: folder })
})
afterAll(() => system.close())

/** Sends path and method unchanged; `fetch` would normalise the path and reject the method. */
const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(system.url)
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8')
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end()
  })

describe('the public port', () => {
  test.each(['TRACE', 'PROPFIND', 'PROPPATCH', 'MKCOL', 'SEARCH', 'LINK'])(
    '%s is rejected and echoes nothing',
    async (method) => {
      for (const path of ['/', '/v1/sessions', '/console', `/flow/${'x'.repeat(43)}`, '/health']) {
        const { status, text } = await send(method, path, {
          'x-api-key': system.app.api_key,
          'x-marker': 'MARKER',
        })
        expect({ path, status }).toEqual({ path, status: 404 })
        expect(text).not.toContain('MARKER')
      }
    },
  )

  test.each([
    '/metrics',
    '/ready',
    '/v1/../metrics',
    '/v1/..%2fmetrics',
    '//metrics',
    '/metrics/',
    '/METRICS',
    '/console/../metrics',
    '/.git/config',
    '/.git/HEAD',
    '/.env',
    '/standalone.json',
    '/secrets.json',
    '/package.json',
    '/node_modules',
    '/debug',
    '/server-status',
    '/console/.git/config',
    '/console/assets',
    '/console/assets/',
    '/flow/assets',
    '/flow/assets/',
    '/assets/',
    '/docs/assets/',
    '/console/assets/..%2f..%2fpackage.json',
    '/console/assets/../index.html',
    '/console/assets/%2e%2e/index.html',
  ])('%s exposes no metrics, no file and no listing', async (path) => {
    // biome-ignore format: a list of paths
    const { status, text } = await send('GET', path)
    // An unknown path of the console serves the page itself, which requires signing in.
    if (status === 200) expect(text).toMatch(/^<!doctype html>/i)
    else expect([400, 404]).toContain(status)
    for (const secret of ['# HELP', '[core]', system.app.api_key, '"dependencies"', 'Index of'])
      expect(text).not.toContain(secret)
  })

  test('metrics and readiness are on a separate port, which serves nothing else', async () => {
    expect(await (await fetch(`${metricsUrl}/metrics`)).text()).toContain('# HELP')
    expect((await fetch(`${metricsUrl}/ready`)).status).toBe(200)
    for (const path of ['/v1/sessions', '/console', '/', '/metrics/x', '/health'])
      expect((await fetch(`${metricsUrl}${path}`)).status).toBe(404)
  })
})

test('the files of the first start are readable by their owner only', () => {
  for (const file of ['standalone.json', 'secrets.json'])
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
})
