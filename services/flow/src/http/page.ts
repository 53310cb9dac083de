import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Response } from 'express'
import express, { type Router } from 'express'

const assets = fileURLToPath(new URL('../../assets/', import.meta.url))
const page = readFileSync(`${assets}page.html`, 'utf8')

/** Nothing from anywhere else, no inline script, no frame around it, the camera for itself only. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
}

export const sendPage = (response: Response): void => {
  response.set(pageHeaders).status(200).send(page)
}

/** The page's script and style, which hold nothing of any session. */
export function assetsRouter(): Router {
  const router = express.Router()
  router.use(
    '/flow-assets',
    express.static(assets, { index: false, dotfiles: 'ignore', redirect: false, cacheControl: false }),
  )
  return router
}
