import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { createDocs, guideFile, guidePages } from './index.ts'

const docs = createDocs()
const html = (path: string) => docs(path, {})?.body.toString('utf8') ?? ''
const pages = ['/docs', ...guidePages.map(({ slug }) => `/docs/${slug}`), '/docs/reference']

describe('a page', () => {
  test.each(pages)('%s is complete, and loads nothing from another host', (path) => {
    const answer = docs(path, {})
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    const text = html(path)
    expect(text).toMatch(/<h1|id="reference"/)
    const fetched = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
    const loaded = [...text.matchAll(/<(?:script|link|img)[^>]+(?:src|href)="([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    )
    expect(fetched.length).toBeGreaterThan(9)
    for (const address of loaded) expect(address).toMatch(/^(\/docs\/assets\/|data:,$)/)
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|style=/)
  })

  test('every link to a page or asset of the site resolves', () => {
    for (const path of pages) {
      for (const [, address = ''] of html(path).matchAll(/(?:src|href)="(\/docs[^"#]*)"/g)) {
        expect([address, docs(address, {})?.status]).toEqual([address, 200])
      }
    }
  })

  test('every file of the guide is one of its pages', () => {
    const files = readdirSync(new URL('.', guideFile('first-session'))).sort()
    expect(files).toEqual(guidePages.map(({ slug }) => `${slug}.md`).sort())
  })

  test('allows scripts and requests of this host only, and no frame', () => {
    const policy = docs('/docs/reference', {})?.headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
  })
})

describe('an unknown path', () => {
  test.each([
    '/docs/none',
    '/docs/assets/none.js',
    '/docs/assets/../../package.json',
    '/docs/assets/constructor',
    '/docs/../x',
  ])('%s is not a page', (path) => {
    expect(docs(path, {})).toBeUndefined()
  })
})

describe('a response', () => {
  test('is compressed for clients that accept it, with the same content', () => {
    const plain = docs('/docs/assets/docs.css', {})
    const packed = docs('/docs/assets/docs.css', { 'accept-encoding': 'gzip, deflate, br' })
    expect(packed?.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(packed?.body ?? Buffer.alloc(0))).toEqual(plain?.body)
  })

  test('is 304 for a client that already has it', () => {
    const etag = String(docs('/docs', {})?.headers.etag)
    expect(docs('/docs', { 'if-none-match': etag })).toMatchObject({ status: 304, body: Buffer.alloc(0) })
    expect(docs('/docs', { 'if-none-match': '"other"' })?.status).toBe(200)
  })
})

test('the guide names exactly the existing scenarios', () => {
  const named = [
    ...readFileSync(guideFile('test-mode'), 'utf8').matchAll(/^\| `(\w+)` \| `(?:approved|in_review)` \|/gm),
  ]
  expect(named).toHaveLength(10)
})
