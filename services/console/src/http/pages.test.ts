import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { loadBuiltPages } from '@kyc/http'
import express, { type Express } from 'express'
import request from 'supertest'
import { pagesRouter } from './pages.ts'

let app: Express

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>')
  writeFileSync(join(folder, 'assets', 'index-abc.js'), 'export const answer = 42\n'.repeat(100))
  app = express().use(pagesRouter(loadBuiltPages(`${folder}/`)))
})

test('every URL of the console serves the page, under a policy without inline scripts', async () => {
  for (const path of ['/console', '/console/', '/console/login', '/console/apps/app_1/sessions/ses_1']) {
    const answer = await request(app).get(path)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('<title>Console</title>')
    const policy = String(answer.headers['content-security-policy'])
    // `object-src` falls back to `default-src`; `base-uri`, `form-action` and `frame-ancestors` do not.
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split('; ')).toContain(directive)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['x-frame-options']).toBe('DENY')
    expect(answer.headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
  }
})

test('assets are compressed and cached permanently; unknown assets and API paths do not serve the page', async () => {
  const asset = await request(app).get('/console/assets/index-abc.js').set('accept-encoding', 'br')
  expect(asset.headers['content-encoding']).toBe('br')
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await request(app).get('/console/assets/index-gone.js')).status).toBe(404)
  expect((await request(app).get('/console/assets/..%2Findex.html')).status).toBe(404)
  expect((await request(app).get('/console/api/unknown')).status).toBe(404)
})

test('a service whose pages were not built reports that instead of serving nothing', async () => {
  const bare = express().use(pagesRouter(loadBuiltPages('/nonexistent/')))
  expect((await request(bare).get('/console/')).status).toBe(500)
})
