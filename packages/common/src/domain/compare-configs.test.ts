import { expect, test } from '@jest/globals'
import { compareConfigs } from './compare-configs.ts'
import { workflowConfig } from './workflow.ts'

test('equal configs have no difference', () => {
  expect(compareConfigs(workflowConfig.parse({}), workflowConfig.parse({}))).toEqual([])
})

test('each differing field is reported by its path, with a list as one value', () => {
  const before = workflowConfig.parse({ steps: { consent: { text: { en: 'I agree.' } } } })
  const after = workflowConfig.parse({
    steps: {
      liveness: { pass: 0.9 },
      document: { allowed_countries: ['IND', 'DEU'] },
      consent: { text: { en: 'I agree.', de: 'Ich stimme zu.' } },
    },
    redirect_url: 'https://example.org/done',
  })
  expect(compareConfigs(before, after)).toEqual([
    { path: 'redirect_url', before: null, after: 'https://example.org/done' },
    { path: 'steps.consent.text.de', before: null, after: 'Ich stimme zu.' },
    { path: 'steps.document.allowed_countries', before: null, after: ['IND', 'DEU'] },
    { path: 'steps.liveness.pass', before: 0.8, after: 0.9 },
  ])
})
