import {
  type Action,
  type AmlMatch,
  amlMatch,
  type Check,
  type CheckStatus,
  enabledChecks,
  type Warning,
  type WorkflowConfig,
  warningSeverities,
} from '@kyc/common'
import { z } from 'zod'
import type { DecisionInput } from './decide.ts'

/**
 * Evaluates the stored findings of a check under another config. `null` means undetermined, because the other config
 * needs data that was not collected.
 */
export function replayCheck(
  check: Check,
  before: WorkflowConfig,
  after: WorkflowConfig,
): DecisionInput | null {
  // A check that could not run, or was not required, has the same result under any config.
  if (check.status === 'error' || check.status === 'skipped' || check.status === 'pending')
    return inputOf(check)
  if (isSameRule(check.kind, before, after)) return inputOf(check)
  switch (check.kind) {
    case 'document':
      return replayDocument(check, before, after)
    case 'liveness':
      return replayLiveness(check, before, after)
    case 'face_match':
      return replayFaceMatch(check, after)
    case 'aml':
      return replayAml(check, before, after)
    case 'age':
      return replayAge(check, after)
    case 'duplicate':
      return replayDuplicate(check, before, after)
    case 'ip':
      return replayActions(check, {
        ip_country_mismatch: after.steps.ip.country_mismatch_action,
        ip_anonymizer: after.steps.ip.anonymizer_action,
      })
    default:
      return inputOf(check)
  }
}

/** Whether every setting that this kind is evaluated by is unchanged. */
const isSameRule = (kind: Check['kind'], before: WorkflowConfig, after: WorkflowConfig): boolean =>
  JSON.stringify(before.steps[kind]) === JSON.stringify(after.steps[kind]) &&
  (kind !== 'aml' || before.review_threshold === after.review_threshold)

type Judged = Pick<Warning, 'code' | 'severity'>

const inputOf = (
  check: Check,
  warnings: readonly Judged[] = check.warnings,
  status = check.status,
): DecisionInput => ({
  kind: check.kind,
  status,
  warnings: warnings.map(({ code, severity }) => ({ code, severity })),
})

const judged = (kind: Check['kind'], code: string): Judged => {
  const table: Readonly<Record<string, Judged['severity']>> = warningSeverities[kind]
  return { code, severity: table[code] ?? 'medium' }
}

const without = (check: Check, codes: readonly string[]): Judged[] =>
  check.warnings.filter((warning) => !codes.includes(warning.code))

/** The worst severity determines the status, for kinds without configurable actions. */
function statusOf(warnings: readonly Judged[]): CheckStatus {
  if (warnings.some((warning) => warning.severity === 'high')) return 'failed'
  return warnings.some((warning) => warning.severity === 'medium') ? 'warning' : 'passed'
}

const byWarnings = (check: Check, warnings: readonly Judged[]) => inputOf(check, warnings, statusOf(warnings))

/** Evaluates the workflow's rules again from type, country and expiry; findings from the images do not change. */
function replayDocument(check: Check, before: WorkflowConfig, after: WorkflowConfig): DecisionInput | null {
  const [old, next] = [before.steps.document, after.steps.document]
  // The expiry date itself is not stored, and a side that was not requested was not captured.
  if (old.expiring_soon_days !== next.expiring_soon_days) return null
  if (old.require_back !== next.require_back) return null
  const data = z
    .object({ document_type: z.string().nullable(), issuing_state: z.string().nullable() })
    .safeParse(check.data)
  if (!data.success) return null
  const { document_type: type, issuing_state: country } = data.data
  const warnings = without(check, ['document_type_not_allowed', 'document_country_not_allowed'])
  const types: readonly string[] = next.allowed_types
  if (types.length > 0 && (type === null || !types.includes(type)))
    warnings.push(judged('document', 'document_type_not_allowed'))
  if (next.allowed_countries !== null && (country === null || !next.allowed_countries.includes(country)))
    warnings.push(judged('document', 'document_country_not_allowed'))
  return byWarnings(check, warnings)
}

function replayLiveness(check: Check, before: WorkflowConfig, after: WorkflowConfig): DecisionInput | null {
  const { mode, pass, review } = after.steps.liveness
  if (before.steps.liveness.mode !== mode) return null
  const scored = ['spoof_suspected', 'liveness_low_score']
  const warnings = without(check, scored)
  // A failed challenge or a missing face was not scored, so no threshold can make it pass.
  const unscored = warnings.some(({ code }) => failures.has(code))
  if (!unscored && check.score !== null) {
    if (check.score < review) warnings.push(judged('liveness', 'spoof_suspected'))
    else if (check.score < pass) warnings.push(judged('liveness', 'liveness_low_score'))
  }
  return byWarnings(check, warnings)
}
const failures: ReadonlySet<string> = new Set([
  'no_face',
  'multiple_faces',
  'challenge_failed',
  'challenge_expired',
])

function replayFaceMatch(check: Check, after: WorkflowConfig): DecisionInput {
  if (check.score === null) return inputOf(check)
  const { threshold, review_below } = after.steps.face_match
  const warnings = without(check, ['face_mismatch', 'face_match_borderline'])
  if (check.score < threshold) warnings.push(judged('face_match', 'face_mismatch'))
  else if (check.score < review_below) warnings.push(judged('face_match', 'face_match_borderline'))
  return byWarnings(check, warnings)
}

/** A higher threshold or fewer lists only remove matches; a lower threshold or more lists would need a new search. */
function replayAml(check: Check, before: WorkflowConfig, after: WorkflowConfig): DecisionInput | null {
  if (after.review_threshold < before.review_threshold) return null
  const [old, next] = [before.steps.aml.lists, after.steps.aml.lists]
  if (old !== null && (next === null || next.some((list) => !old.includes(list)))) return null
  const matches = z.array(amlMatch).safeParse(check.data.matches ?? [])
  if (!matches.success) return null
  const open = matches.data.filter(
    (match: AmlMatch) =>
      match.name_score >= after.review_threshold &&
      (next === null || next.includes(match.list)) &&
      match.review?.status !== 'false_positive',
  )
  const warnings = without(check, ['aml_potential_match'])
  if (open.length > 0) warnings.push(judged('aml', 'aml_potential_match'))
  // AML alone never declines a session.
  const status = warnings.some(({ severity }) => severity !== 'low') ? 'warning' : 'passed'
  return inputOf(check, warnings, status)
}

function replayAge(check: Check, after: WorkflowConfig): DecisionInput {
  const age = z.int().safeParse(check.data.age)
  if (!age.success) return inputOf(check)
  const warnings = without(check, ['age_below_minimum'])
  if (age.data < after.steps.age.minimum) warnings.push(judged('age', 'age_below_minimum'))
  return byWarnings(check, warnings)
}

/** Faces are stored from slightly below the old threshold; a much lower threshold is undetermined. */
function replayDuplicate(check: Check, before: WorkflowConfig, after: WorkflowConfig): DecisionInput | null {
  const next = after.steps.duplicate
  if (next.face_threshold < before.steps.duplicate.face_threshold) return null
  const faces = z.array(z.object({ similarity: z.number() })).safeParse(check.data.face_matches)
  if (!faces.success) return null
  const warnings = without(check, ['duplicate_face', 'possible_duplicate_face'])
  if (faces.data.some(({ similarity }) => similarity >= next.face_threshold))
    warnings.push(judged('duplicate', 'duplicate_face'))
  else if (faces.data.length > 0) warnings.push(judged('duplicate', 'possible_duplicate_face'))
  const possible = next.face_action === 'none' ? 'none' : 'review'
  return replayActions(
    check,
    {
      duplicate_document: next.document_action,
      duplicate_face: next.face_action,
      possible_duplicate_face: possible,
    },
    warnings,
  )
}

/**
 * For kinds with configurable actions per finding. A medium finding without an action goes to review, a high one
 * declines.
 */
function replayActions(
  check: Check,
  actions: Readonly<Record<string, Action>>,
  warnings: readonly Judged[] = check.warnings,
): DecisionInput {
  let status: CheckStatus = 'passed'
  for (const { code, severity } of warnings) {
    if (severity === 'low') continue
    const action = actions[code] ?? (severity === 'medium' ? 'review' : 'decline')
    if (action === 'decline') return inputOf(check, warnings, 'failed')
    if (action === 'review') status = 'warning'
  }
  return inputOf(check, warnings, status)
}

/**
 * Replays every check that `after` enables. `decided` is the engine's original input, which records checks that timed
 * out.
 */
export function replayChecks(
  checks: readonly Check[],
  decided: readonly DecisionInput[],
  before: WorkflowConfig,
  after: WorkflowConfig,
): { kind: Check['kind']; input: DecisionInput | null }[] {
  return enabledChecks(after).map((kind) => {
    const check = checks.find((item) => item.kind === kind)
    const weighed = decided.find((item) => item.kind === kind)
    if (!check || !weighed) return { kind, input: null }
    return { kind, input: weighed.status === 'error' ? weighed : replayCheck(check, before, after) }
  })
}
