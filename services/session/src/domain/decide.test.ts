import { describe, expect, test } from '@jest/globals'
import { type CheckKind, checkKinds, enabledChecks, workflowConfig } from '@kyc/common'
import fc from 'fast-check'
import { type DecisionInput, decide } from './decide.ts'

const config = workflowConfig.parse({})
const declining = workflowConfig.parse({ decision: { auto_decline: true } })
const passed = (kind: CheckKind): DecisionInput => ({ kind, status: 'passed', warnings: [] })
const allPassed = enabledChecks(config).map(passed)
const having = (...changed: DecisionInput[]) => [
  ...allPassed.filter((check) => !changed.some((item) => item.kind === check.kind)),
  ...changed,
]

describe('decide', () => {
  test('approves when every enabled check passed', () => {
    expect(decide(config, allPassed)).toEqual({ status: 'approved', decision_reason: null })
  })

  test('never approves when an enabled check is absent', () => {
    for (const kind of enabledChecks(config)) {
      const outcome = decide(
        config,
        allPassed.filter((check) => check.kind !== kind),
      )
      expect(outcome).toEqual({ status: 'in_review', decision_reason: 'processing_error' })
    }
  })

  test('sends a failed check to review, or declines it if the workflow sets auto_decline', () => {
    const checks = having({
      kind: 'face_match',
      status: 'failed',
      warnings: [{ code: 'face_mismatch', severity: 'high' }],
    })
    expect(decide(config, checks)).toEqual({ status: 'in_review', decision_reason: 'face_mismatch' })
    expect(decide(declining, checks)).toEqual({ status: 'declined', decision_reason: 'face_mismatch' })
  })

  test('never declines because of AML alone', () => {
    const aml: DecisionInput = {
      kind: 'aml',
      status: 'failed',
      warnings: [{ code: 'aml_potential_match', severity: 'high' }],
    }
    expect(decide(declining, having(aml))).toEqual({
      status: 'in_review',
      decision_reason: 'aml_potential_match',
    })
  })

  test('returns aml_unavailable, in review, when no list is loaded', () => {
    const aml: DecisionInput = {
      kind: 'aml',
      status: 'error',
      warnings: [{ code: 'lists_not_loaded', severity: 'high' }],
    }
    expect(decide(declining, having(aml))).toEqual({
      status: 'in_review',
      decision_reason: 'aml_unavailable',
    })
  })

  test('reports the first applicable reason in the order of the reason list', () => {
    const outcome = decide(
      config,
      having(
        { kind: 'liveness', status: 'failed', warnings: [{ code: 'spoof_suspected', severity: 'high' }] },
        { kind: 'document', status: 'failed', warnings: [{ code: 'document_expired', severity: 'high' }] },
      ),
    )
    expect(outcome.decision_reason).toBe('document_expired')
  })

  test('declines with the reason of a failed check, not of an earlier warning', () => {
    const outcome = decide(
      declining,
      having(
        {
          kind: 'document',
          status: 'warning',
          warnings: [{ code: 'mrz_checksum_failed', severity: 'medium' }],
        },
        { kind: 'face_match', status: 'failed', warnings: [{ code: 'face_mismatch', severity: 'high' }] },
      ),
    )
    expect(outcome).toEqual({ status: 'declined', decision_reason: 'face_mismatch' })
  })

  test('approves a session that has only informational warnings', () => {
    const document: DecisionInput = {
      kind: 'document',
      status: 'passed',
      warnings: [{ code: 'mrz_corrected', severity: 'low' }],
    }
    expect(decide(config, having(document)).status).toBe('approved')
  })

  test('allows only an optional e-mail step to be skipped', () => {
    const optional = workflowConfig.parse({ steps: { email: { enabled: true, required: false } } })
    const required = workflowConfig.parse({ steps: { email: { enabled: true } } })
    const skipped: DecisionInput = { kind: 'email', status: 'skipped', warnings: [] }
    expect(decide(optional, [...allPassed, skipped]).status).toBe('approved')
    expect(decide(required, [...allPassed, skipped])).toEqual({
      status: 'in_review',
      decision_reason: 'email_unverified',
    })
  })

  test('approves only if every enabled check passed, for any check results', () => {
    const input = fc.record({
      kind: fc.constantFrom(...checkKinds),
      status: fc.constantFrom('pending', 'passed', 'warning', 'failed', 'skipped', 'error') as fc.Arbitrary<
        DecisionInput['status']
      >,
      warnings: fc.constant([]),
    })
    fc.assert(
      fc.property(fc.uniqueArray(input, { selector: (item) => item.kind }), fc.boolean(), (checks, auto) => {
        const outcome = decide(auto ? declining : config, checks)
        const clean = enabledChecks(config).every(
          (kind) => checks.find((item) => item.kind === kind)?.status === 'passed',
        )
        expect(outcome.status === 'approved').toBe(clean)
        expect(outcome.decision_reason === null).toBe(clean)
      }),
    )
  })
})
