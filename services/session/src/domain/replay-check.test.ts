import { describe, expect, test } from '@jest/globals'
import {
  type Check,
  type CheckKind,
  checkKinds,
  type WorkflowConfigInput,
  warningOf,
  workflowConfig,
} from '@kyc/common'
import fc from 'fast-check'
import { replayCheck, replayChecks } from './replay-check.ts'

const config = (input: WorkflowConfigInput = {}) => workflowConfig.parse(input)
const check = (kind: CheckKind, part: Partial<Check> = {}): Check => ({
  kind,
  status: 'passed',
  score: null,
  data: {},
  warnings: [],
  attempts: 1,
  started_at: null,
  completed_at: null,
  engine: null,
  ...part,
})

describe('replaying a check', () => {
  test('gives the stored result if the config is unchanged, for any findings', () => {
    const part = fc.record({
      status: fc.constantFrom<Check['status']>('passed', 'warning', 'failed', 'skipped', 'error'),
      score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    })
    fc.assert(
      fc.property(fc.constantFrom(...checkKinds), part, (kind, found) => {
        expect(replayCheck(check(kind, found), config(), config())).toMatchObject({
          kind,
          status: found.status,
        })
      }),
    )
  })

  test.each([
    [0.95, 'passed'],
    [0.85, 'warning'],
    [0.4, 'failed'],
  ])('with liveness score %d under pass 0.9 and review 0.5 gives %s', (score, status) => {
    const stricter = config({ steps: { liveness: { pass: 0.9 } } })
    expect(replayCheck(check('liveness', { score }), config(), stricter)?.status).toBe(status)
  })

  test('never passes a failed challenge', () => {
    const failed = check('liveness', {
      status: 'failed',
      score: 0,
      warnings: [warningOf('liveness', 'challenge_failed', 'm')],
    })
    const lenient = config({ steps: { liveness: { pass: 0, review: 0 } } })
    expect(replayCheck(failed, config(), lenient)?.status).toBe('failed')
  })

  test('passes a borderline face under a lower review border and fails it under a higher threshold', () => {
    const borderline = check('face_match', {
      status: 'warning',
      score: 0.4,
      warnings: [warningOf('face_match', 'face_match_borderline', 'm')],
    })
    const lower = config({ steps: { face_match: { threshold: 0.3, review_below: 0.38 } } })
    const higher = config({ steps: { face_match: { threshold: 0.42 } } })
    expect(replayCheck(borderline, config(), lower)?.status).toBe('passed')
    expect(replayCheck(borderline, config(), higher)).toMatchObject({
      status: 'failed',
      warnings: [{ code: 'face_mismatch', severity: 'high' }],
    })
  })

  test('applies the allowed types and countries to a document', () => {
    const passport = check('document', { data: { document_type: 'passport', issuing_state: 'DEU' } })
    const only = (document: NonNullable<WorkflowConfigInput['steps']>['document']) =>
      replayCheck(passport, config(), config({ steps: { document } }))?.status
    expect(only({ allowed_types: ['passport'] })).toBe('passed')
    expect(only({ allowed_types: ['visa'] })).toBe('failed')
    expect(only({ allowed_countries: ['IND'] })).toBe('failed')
  })

  test("applies the workflow's action to a duplicate", () => {
    const seen = check('duplicate', {
      status: 'warning',
      data: { document_matches: [{}], face_matches: [] },
      warnings: [warningOf('duplicate', 'duplicate_document', 'm')],
    })
    const act = (document_action: 'none' | 'review' | 'decline') =>
      replayCheck(seen, config(), config({ steps: { duplicate: { document_action, face_threshold: 0.6 } } }))
        ?.status
    expect([act('none'), act('review'), act('decline')]).toEqual(['passed', 'warning', 'failed'])
  })

  test('applies the minimum age', () => {
    const grown = check('age', { data: { age: 19, minimum: 18 } })
    const atLeast = (minimum: number) =>
      replayCheck(grown, config(), config({ steps: { age: { enabled: true, minimum } } }))?.status
    expect([atLeast(19), atLeast(21)]).toEqual(['passed', 'failed'])
  })

  test('is undetermined if the new config needs data that was not collected', () => {
    const cases: [Check, WorkflowConfigInput][] = [
      [check('aml', { data: { matches: [] } }), { review_threshold: 0.8 }],
      [check('aml', { data: { matches: [] } }), { steps: { aml: { lists: ['un_sc'] } } }],
      [check('liveness', { score: 0.9 }), { steps: { liveness: { mode: 'active' } } }],
      [check('document'), { steps: { document: { expiring_soon_days: 30 } } }],
      [
        check('duplicate', { data: { face_matches: [] } }),
        { steps: { duplicate: { face_threshold: 0.45 } } },
      ],
    ]
    const known = cases.map(([found, input]) => replayCheck(found, config(), config(input)))
    // Removing lists is determined, because the matches of the removed lists are left out.
    expect(known.map((input) => input === null)).toEqual([true, false, true, true, true])
  })

  test('is undetermined for a step that was disabled then, and omits a step that is disabled now', () => {
    const decided = [{ kind: 'document', status: 'passed', warnings: [] }] as const
    const asked = config({
      steps: { age: { enabled: true }, liveness: { enabled: false }, face_match: { enabled: false } },
    })
    const replayed = replayChecks([check('document')], decided, config(), asked)
    expect(replayed.find(({ kind }) => kind === 'age')).toEqual({ kind: 'age', input: null })
    expect(replayed.map(({ kind }) => kind)).not.toContain('liveness')
  })
})
