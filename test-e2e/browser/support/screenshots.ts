import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Not committed: screenshots of a test run. */
const folder = fileURLToPath(new URL('../../.screenshots/', import.meta.url))

export async function screenshot(page: Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`)
  await mkdir(dirname(path), { recursive: true })
  await page.screenshot({ path, animations: 'disabled' })
}
