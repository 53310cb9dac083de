import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'

/** Bytes of script, compressed with gzip's best level, that the browser loads for a page with an empty cache. */
export async function scriptBytes(page: Page, open: () => Promise<void>): Promise<number> {
  const scripts = new Map<string, Promise<Buffer>>()
  const keep = (response: import('playwright-core').Response) => {
    if (/\.js$/.test(new URL(response.url()).pathname)) scripts.set(response.url(), response.body())
  }
  page.on('response', keep)
  await open()
  page.off('response', keep)
  const bodies = await Promise.all(scripts.values())
  return bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
}
