import { expect, test } from '@jest/globals'
import {
  defaultWorkflowConfig,
  enabledChecks,
  enabledSteps,
  submittedWorkflowConfig,
  workflowConfig,
} from './workflow.ts'

const problems = (config: object) =>
  (workflowConfig.safeParse(config).error?.issues ?? []).map((issue) => issue.path.join('.'))

test('the default config has consent, document, liveness, face match, AML, duplicate and IP', () => {
  const config = defaultWorkflowConfig()
  expect(enabledSteps(config)).toEqual(['consent', 'document', 'liveness'])
  expect(enabledChecks(config)).toEqual([
    'consent',
    'document',
    'liveness',
    'face_match',
    'aml',
    'duplicate',
    'ip',
  ])
  expect(config).toMatchObject({ review_threshold: 0.82, abandon_after_minutes: 1440, redirect_url: null })
})

test('rejects face processing without consent', () => {
  expect(problems({ steps: { consent: { enabled: false } } })).toContain('steps.consent.enabled')
})

test('names thresholds that contradict each other', () => {
  expect(problems({ steps: { liveness: { pass: 0.4, review: 0.6 } } })).toEqual(['steps.liveness.review'])
  expect(problems({ steps: { face_match: { threshold: 0.6, review_below: 0.5 } } })).toEqual([
    'steps.face_match.review_below',
  ])
})

test('rejects a face match without a document or without a face to compare', () => {
  expect(problems({ steps: { document: { enabled: false } } })).toEqual(['steps.face_match.enabled'])
})

test('rejects an unknown field', () => {
  expect(workflowConfig.safeParse({ steps: { consent: { surprise: 1 } } }).success).toBe(false)
})

test.each(['https://user@example.org/', ' https://example.org/', 'https://example.org/\u0007'])(
  'rejects a submitted config with the URL %j, while a stored one stays readable',
  (url) => {
    const config = { redirect_url: url, steps: { consent: { privacy_url: url } } }
    const refused = submittedWorkflowConfig.safeParse(config).error?.issues ?? []
    expect(refused.map(({ path }) => path.join('.'))).toEqual(['redirect_url', 'steps.consent.privacy_url'])
    expect(refused[0]?.message).toContain('without user information')
    expect(workflowConfig.parse(config).redirect_url).toBe(url)
  },
)
