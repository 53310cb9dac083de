import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Violations of WCAG 2.2 AA on the current page: rule and element, one line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Evaluated by the debugger, to which the page's content security policy does not apply.
  await page.evaluate(source)
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ runOnly: tags, resultTypes: ['violations'] })})`,
  )) as { violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary.split('\n')[1]?.trim()})`,
    ),
  )
}
