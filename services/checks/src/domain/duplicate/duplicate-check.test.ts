import { describe, expect, test } from '@jest/globals'
import type { SubjectIdentity } from '@kyc/common'
import { duplicateCheck, fingerprintText } from './duplicate-check.ts'

const match = { session_id: 'ses_other', status: 'approved' } as const
const codes = (result: ReturnType<typeof duplicateCheck>) => result.warnings.map(({ code }) => code)

describe('duplicateCheck', () => {
  test("applies the workflow's action to a document used before", () => {
    const judged = (action: 'none' | 'review' | 'decline') =>
      duplicateCheck([match], { blocked: false, action }).status
    expect([judged('none'), judged('review'), judged('decline')]).toEqual(['passed', 'warning', 'failed'])
    expect(duplicateCheck([], { blocked: false, action: 'decline' })).toMatchObject({
      status: 'passed',
      score: 0,
      warnings: [],
    })
  })

  test("fails a document on the block list whatever the workflow's action is", () => {
    const result = duplicateCheck([match], { blocked: true, action: 'none' })
    expect(result).toMatchObject({ status: 'failed', score: 1, data: { document_matches: [match] } })
    expect(codes(result)).toContain('document_blocklisted')
  })
})

describe('fingerprintText', () => {
  const subject = (document_number: string | null, issuing_state: string | null) =>
    ({ document_number, issuing_state }) as SubjectIdentity

  test('is the same for every spelling of a number, and differs between states', () => {
    const text = fingerprintText(subject('AB 123-45', 'DEU'))
    expect(text).toBe(fingerprintText(subject('ab12345', 'DEU')))
    expect(text).not.toBe(fingerprintText(subject('ab12345', 'AUT')))
  })

  test('is null when state or number is unknown', () => {
    for (const incomplete of [subject(null, 'DEU'), subject('AB12345', null), subject('A1-', 'DEU')])
      expect(fingerprintText(incomplete)).toBeNull()
  })
})
