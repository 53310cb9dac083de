import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { workflowConfig } from '@kyc/common'

const defaults = workflowConfig.parse({})

/** Paths of all settings. A list, texts by language, and a nullable value each count as one setting. */
function settings(value: object, path: string): string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${path}.${name}`
    const group = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    return group && at !== 'config.steps.consent.text' ? settings(inner as object, at) : [at]
  })
}

test('every field of the config appears in the editor', async () => {
  const files = ['steps.tsx', 'consent-texts.tsx']
  const sources = await Promise.all(
    files.map((file) => readFile(new URL(`../web/src/views/workflows/${file}`, import.meta.url), 'utf8')),
  )
  const source = sources.join('\n')
  const steps = new Set([...source.matchAll(/<Step name="(\w+)"/g)].map((match) => match[1]))
  const shown = (path: string) => {
    const [, step] = /^config\.steps\.(\w+)\.enabled$/.exec(path) ?? []
    return step === undefined ? source.includes(`'${path}'`) || source.includes(`"${path}"`) : steps.has(step)
  }
  const all = settings(defaults, 'config')
  expect(all.length).toBeGreaterThan(30)
  expect(all.filter((path) => !shown(path))).toEqual([])
})
