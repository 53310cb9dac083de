import { describe, expect, test } from '@jest/globals'
import { workflowConfig } from '@kyc/common'
import { assertOpen, currentStep, missingSteps, type StepRecord, viewSteps } from './progress.ts'

const config = workflowConfig.parse({ steps: { email: { enabled: true, required: false } } })
const done = (step: StepRecord['step'], status: StepRecord['status'] = 'completed'): StepRecord => ({
  step,
  status,
  attempts_used: 0,
  version: 1,
  progress: {},
})

describe('the steps of a flow', () => {
  test('open in order, one at a time', () => {
    expect(viewSteps(config, []).map((step) => step.status)).toEqual([
      'pending',
      'locked',
      'locked',
      'locked',
    ])
    const after = viewSteps(config, [done('consent')])
    expect(after.map((step) => step.status)).toEqual(['completed', 'pending', 'pending', 'locked'])
    expect(currentStep(after)).toBe('email')
  })

  test('an optional step does not block submission', () => {
    const steps = viewSteps(config, [done('consent'), done('document'), done('liveness')])
    expect(missingSteps(steps)).toEqual([])
  })

  test('a step without attempts left is done', () => {
    const required = workflowConfig.parse({ steps: { email: { enabled: true } } })
    const steps = viewSteps(required, [done('consent'), done('email', 'failed')])
    expect(missingSteps(steps)).toEqual(['document', 'liveness'])
    expect(currentStep(steps)).toBe('document')
  })

  test('reject a step that is out of order, already done or disabled', () => {
    const steps = viewSteps(config, [done('consent')])
    expect(() => assertOpen('liveness', steps)).toThrow(/missing before it: document, liveness/)
    expect(() => assertOpen('consent', steps)).toThrow('is done')
    const without = viewSteps(workflowConfig.parse({}), [])
    expect(() => assertOpen('email', without)).toThrow('not part of this session')
  })
})
