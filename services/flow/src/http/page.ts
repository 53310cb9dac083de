import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rateLimitedPagePath, UnavailableError } from '@kyc/common'
import type { Request, Response } from 'express'
import express, { type Router } from 'express'
import type { LinkState } from '../operations/open-visit.ts'

const built = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** No third-party resources, no inline scripts, no framing; camera access for this origin only. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

type Asset = { type: string; plain: Buffer; gzip: Buffer; br: Buffer }

/** The page and its assets, read and compressed once. They contain no session data. */
export type Pages = {
  /** Sends the page with the link's state embedded, so that it renders before its first request. */
  send(response: Response, link: LinkState): void
  router: Router
}

export function loadPages(folder = built): Pages {
  const assets = new Map<string, Asset>()
  let html: string | undefined
  for (const name of listFiles(folder)) {
    const bytes = readFileSync(join(folder, name))
    if (name === 'index.html') html = bytes.toString('utf8')
    else assets.set(name, compress(bytes, types[name.split('.').pop() ?? ''] ?? 'application/octet-stream'))
  }
  const router = express.Router()
  router.get('/flow-assets/:name', (request, response, next) => {
    const asset = assets.get(request.params.name)
    if (asset) sendAsset(request, response, asset)
    else next()
  })
  const sendPage = (response: Response, status: number, link: LinkState | 'rate_limited') => {
    if (html === undefined) throw new UnavailableError('The page was not built: run the build command first.')
    response
      .set(pageHeaders)
      .status(status)
      .send(html.replace('content="session"', `content="${link}"`))
  }
  router.get(rateLimitedPagePath, (_request, response) => sendPage(response, 429, 'rate_limited'))
  return {
    router,
    send: (response, link) => sendPage(response, link === 'session' || link === 'handoff' ? 200 : 404, link),
  }
}

/** Asset names contain a content hash, so assets can be cached indefinitely. */
function sendAsset(request: Request, response: Response, asset: Asset): void {
  const encoding = request.acceptsEncodings(['br', 'gzip', 'identity'])
  response.set({
    'content-type': asset.type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    ...(encoding === 'br' || encoding === 'gzip' ? { 'content-encoding': encoding } : {}),
  })
  response.end(encoding === 'br' ? asset.br : encoding === 'gzip' ? asset.gzip : asset.plain)
}

const compress = (plain: Buffer, type: string): Asset => ({
  type,
  plain,
  gzip: gzipSync(plain, { level: 9 }),
  br: brotliCompressSync(plain),
})

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
