import { describe, expect, test } from '@jest/globals'
import { warningSeverities } from './checks.ts'
import { configOfScenario, findTestScenario, testScenarioNames, testScenarios } from './test-scenario.ts'
import { defaultWorkflowConfig, enabledChecks, workflowConfig } from './workflow.ts'

test('every scenario name has exactly one description, in order', () => {
  expect(testScenarios.map(({ scenario }) => scenario)).toEqual(testScenarioNames)
})

test('every warning code of a scenario is one that its check can emit', () => {
  for (const { check } of testScenarios) {
    if (!check?.warning_code) continue
    expect(Object.keys(warningSeverities[check.kind])).toContain(check.warning_code)
  }
})

describe('the config of a scenario', () => {
  const bare = workflowConfig.parse({
    steps: {
      consent: { enabled: false },
      document: { enabled: false },
      liveness: { enabled: false },
      face_match: { enabled: false },
      aml: { enabled: false },
      duplicate: { enabled: false, document_action: 'none' },
      ip: { enabled: false },
    },
  })

  test.each(testScenarioNames)('%s enables the checks it is about, and is valid', (name) => {
    const config = configOfScenario(bare, name)
    expect(workflowConfig.safeParse(config).success).toBe(true)
    expect(enabledChecks(config)).toEqual(expect.arrayContaining(findTestScenario(name)?.needs ?? []))
    expect(bare.steps.document.enabled).toBe(false)
  })

  test('is the workflow’s own config without a scenario', () => {
    const config = defaultWorkflowConfig()
    expect(configOfScenario(config, null)).toBe(config)
    expect(configOfScenario(config, 'no such')).toBe(config)
  })

  test('never ignores a duplicate and never accepts an age of fifteen', () => {
    expect(configOfScenario(bare, 'duplicate').steps.duplicate.document_action).toBe('review')
    const young = workflowConfig.parse({ steps: { age: { minimum: 12 } } })
    expect(configOfScenario(young, 'underage').steps.age).toEqual({ enabled: true, minimum: 18 })
  })
})
