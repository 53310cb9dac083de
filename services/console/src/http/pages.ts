import { fileURLToPath } from 'node:url'
import { type BuiltPages, loadBuiltPages } from '@kyc/http'
import type { Response } from 'express'
import express, { type Router } from 'express'

const built = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** Allows no other origin, no inline script and no framing; QR codes are data: images. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Serves the same document for every URL below /console that is neither an asset nor part of the API. */
export function pagesRouter(pages: BuiltPages = loadBuiltPages(built)): Router {
  const router = express.Router()
  const sendPage = (response: Response) => response.set(pageHeaders).send(pages.html())
  router.get('/console/assets/:name', async (request, response, next) => {
    if (!(await pages.sendAsset(request, response, `assets/${request.params.name}`, true))) next()
  })
  router.get('/console/favicon.svg', async (request, response, next) => {
    if (!(await pages.sendAsset(request, response, 'favicon.svg', false))) next()
  })
  router.get('/console{/*path}', (request, response, next) => {
    if (request.path.startsWith('/console/api/') || request.path.startsWith('/console/assets/')) next()
    else sendPage(response)
  })
  return router
}
