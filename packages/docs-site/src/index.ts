import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { guidePages, renderGuide } from './guide.ts'
import { page } from './page.ts'

export { guideFile, guidePages } from './guide.ts'

/** A response under `/docs`. */
export type DocsAnswer = { status: number; headers: Record<string, string>; body: Buffer }

/** No content from other hosts, no inline code and no inline style; the reference can call this host only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

const renderer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const own = fileURLToPath(new URL('../assets', import.meta.url))
const assets: Readonly<Record<string, string>> = {
  'docs.css': join(own, 'docs.css'),
  'reference.js': join(own, 'reference.js'),
  'swagger-ui.css': join(renderer, 'swagger-ui.css'),
  'swagger-ui-bundle.js': join(renderer, 'swagger-ui-bundle.js'),
}

type Entry = { type: string; body: Buffer; packed: Buffer; etag: string }

function entryOf(type: string, body: Buffer): Entry {
  const packed = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  return {
    type,
    body,
    packed,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  }
}

function load(path: string): Entry | undefined {
  const name = path === '/docs' || path === '/docs/' ? guidePages[0].slug : path.slice('/docs/'.length)
  if (name === 'reference') return entryOf('text/html; charset=utf-8', Buffer.from(referencePage()))
  const asset = name.startsWith('assets/') ? name.slice('assets/'.length) : undefined
  if (asset !== undefined) {
    const file = Object.hasOwn(assets, asset) ? assets[asset] : undefined
    return file ? entryOf(types[asset.split('.').at(-1) ?? ''] ?? '', readFileSync(file)) : undefined
  }
  const found = guidePages.find(({ slug }) => slug === name)
  if (!found) return undefined
  const html = page({
    href: `/docs/${name}`,
    title: found.title,
    content: `<article class="guide">${renderGuide(name)}</article>`,
  })
  return entryOf('text/html; charset=utf-8', Buffer.from(html))
}

const referencePage = () =>
  page({
    href: '/docs/reference',
    title: 'Reference',
    content:
      '<div id="reference"><noscript>The reference needs JavaScript; <a href="/openapi.json">openapi.json</a> does not.</noscript></div>',
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
    styles: ['swagger-ui.css'],
  })

/** The pages under `/docs`: each is rendered on first request and cached. Undefined if the page does not exist. */
export function createDocs() {
  const kept = new Map<string, Entry>()
  return (
    path: string,
    headers: { 'accept-encoding'?: string | string[]; 'if-none-match'?: string },
  ): DocsAnswer | undefined => {
    const entry = kept.get(path) ?? load(path)
    if (!entry) return undefined
    kept.set(path, entry)
    const common = {
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag: entry.etag,
    }
    if (headers['if-none-match'] === entry.etag)
      return { status: 304, headers: common, body: Buffer.alloc(0) }
    const packs = String(headers['accept-encoding'] ?? '').includes('br')
    const body = packs ? entry.packed : entry.body
    return {
      status: 200,
      headers: {
        ...common,
        'content-type': entry.type,
        'content-length': String(body.length),
        ...(packs ? { 'content-encoding': 'br' } : {}),
      },
      body,
    }
  }
}
export type Docs = ReturnType<typeof createDocs>
