import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The Chromium on this machine; if there is none, null and one visible line. */
export function chromiumPath(): string | null {
  const found = [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path))
  if (found) return found
  process.stdout.write('skipped: the browser tests (no Chromium here; CHROMIUM_PATH names one)\n')
  return null
}

export const launchChromium = (executablePath: string, args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] })
