import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { rateLimitedPagePath } from '@kyc/common'
import express, { type Express } from 'express'
import request from 'supertest'
import { loadPages } from './page.ts'

let app: Express

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><meta name="kyc-link" content="session">')
  const pages = loadPages(folder)
  app = express()
    .get('/unknown', (_request, response) => pages.send(response, 'unknown'))
    .get('/session', (_request, response) => pages.send(response, 'session'))
    .use(pages.router)
})

test('serves the rate-limited page statically with 429 and the same security policy as every page', async () => {
  const limited = await request(app).get(rateLimitedPagePath)
  expect(limited.status).toBe(429)
  expect(limited.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(limited.headers['content-security-policy']).toContain("default-src 'none'")
  expect(limited.headers['cache-control']).toBe('no-store')
  expect(limited.text).toContain('content="rate_limited"')
})

test('responds to an invalid link with 404 and a page, and to a valid link with 200', async () => {
  const unknown = await request(app).get('/unknown')
  expect([unknown.status, unknown.text.includes('content="unknown"')]).toEqual([404, true])
  const session = await request(app).get('/session')
  expect([session.status, session.text.includes('content="session"')]).toEqual([200, true])
})
