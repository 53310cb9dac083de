import { expect, test } from '@jest/globals'
import { type Check, workflowConfig } from '@kyc/common'
import { mergeParts, partsOf } from './check-parts.ts'

const part = (changes: Partial<Check>): Check => ({
  kind: 'duplicate',
  status: 'passed',
  score: null,
  data: {},
  warnings: [],
  attempts: 1,
  started_at: null,
  completed_at: null,
  engine: null,
  ...changes,
})

test('looks for a duplicate by document, and by face if the workflow captures one', () => {
  expect(partsOf('duplicate', workflowConfig.parse({}))).toEqual(['document', 'face'])
  const faceless = { steps: { liveness: { enabled: false }, face_match: { enabled: false } } }
  expect(partsOf('duplicate', workflowConfig.parse(faceless))).toEqual(['document'])
  expect(partsOf('aml', workflowConfig.parse({}))).toEqual([''])
})

test('merges the findings of all parts, in any order', () => {
  const warning = {
    code: 'duplicate_face',
    severity: 'high',
    message: 'm',
    field: null,
    details: null,
  } as const
  const face = part({
    status: 'warning',
    score: 0.9,
    data: { document_matches: [], face_matches: [1] },
    warnings: [warning],
  })
  const document = part({ data: { document_matches: [2], face_matches: [] } })
  for (const order of [
    [face, document],
    [document, face],
  ]) {
    expect(mergeParts(order)).toMatchObject({
      status: 'warning',
      score: 0.9,
      data: { document_matches: [2], face_matches: [1] },
      warnings: [warning],
    })
  }
})
