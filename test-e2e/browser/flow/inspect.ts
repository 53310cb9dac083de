import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import { spokenOn } from './spoken.ts'
import { spokenPages } from './spoken-pages.ts'

const screenshots = fileURLToPath(new URL('../../.screenshots/flow/', import.meta.url))

/**
 * Runs in the page: lists interactive elements smaller than 44 px in either dimension; links within a text may be
 * smaller.
 */
const smallTargets = `[...document.querySelectorAll('button, a.button, select, input, summary, label.button, label.radio')]
  .filter((element) => !element.matches('.visually-hidden, label.radio input'))
  .map((element) => ({ box: element.getBoundingClientRect(), html: element.outerHTML.slice(0, 120) }))
  .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
  .map(({ box, html }) => Math.round(box.width) + ' x ' + Math.round(box.height) + ': ' + html)`

/** Runs in the page: lists data stored in the browser that outlives the page. */
const stored = `(async () => [
  ...Object.keys(localStorage),
  ...Object.keys(sessionStorage),
  ...(await indexedDB.databases()).map(({ name }) => name),
  ...('caches' in window ? await caches.keys() : []),
  ...document.cookie.split('; ').filter(Boolean),
])()`

/** Surrounds every page except the camera. */
const frame = new Set(['button Help', 'combobox Language'])

/**
 * Checks a page against WCAG 2.2 AA with axe; checks that targets are 44 px, that everything in the accessibility
 * tree has a name, in English the correct one, and that nothing is stored in the browser. Takes a screenshot, and
 * returns what a screen reader finds.
 */
export async function inspect(page: Page, name: string): Promise<string[]> {
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`) })
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.map(({ id, nodes }) => ({ page: name, id, nodes: nodes.map((node) => node.html) }))
  expect(found).toEqual([])
  expect({ page: name, small: await page.evaluate(smallTargets) }).toEqual({ page: name, small: [] })
  expect({ page: name, stored: await page.evaluate(stored) }).toEqual({ page: name, stored: [] })
  const spoken = await spokenOn(page)
  const nameless = spoken.filter((entry) => !entry.includes(' '))
  expect({ page: name, nameless }).toEqual({ page: name, nameless: [] })
  if (name.includes('-en-')) await expectSpoken(page, name)
  return spoken
}

/** A page that retries automatically is briefly between two states, so it gets a few seconds. */
async function expectSpoken(page: Page, name: string): Promise<void> {
  const wanted = JSON.stringify(spokenPages[name])
  const own = async () => (await spokenOn(page)).filter((entry) => !frame.has(entry)).sort()
  const found = await until(own, (spoken) => JSON.stringify(spoken) === wanted, 5_000).catch(own)
  expect({ page: name, spoken: found }).toEqual({ page: name, spoken: spokenPages[name] })
}
