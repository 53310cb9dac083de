import {
  type CheckKind,
  type CheckStatus,
  type DecisionReason,
  decisionReasons,
  enabledChecks,
  type Severity,
  type WorkflowConfig,
} from '@kyc/common'

/** The part of a check that a decision depends on. Contains no personal data. */
export type DecisionInput = {
  kind: CheckKind
  status: CheckStatus
  warnings: readonly { code: string; severity: Severity }[]
  /** The check did not complete before the deadline and counts as an error. */
  timed_out?: boolean
}

export type Outcome = {
  status: 'approved' | 'declined' | 'in_review'
  decision_reason: DecisionReason | null
}

/** The decision reason for each warning code. */
const reasonOfWarning: Readonly<Record<string, DecisionReason>> = {
  consent_version_outdated: 'manual_review_required',
  email_disposable: 'email_unverified',
  email_mismatch_contact: 'email_unverified',
  email_code_attempts_exceeded: 'email_unverified',
  email_undeliverable: 'email_unverified',
  document_expired: 'document_expired',
  document_expiring_soon: 'manual_review_required',
  document_type_not_allowed: 'document_not_supported',
  document_country_not_allowed: 'document_not_supported',
  document_back_missing: 'document_unreadable',
  document_sides_mismatch: 'document_inconsistent',
  mrz_not_found: 'document_unreadable',
  mrz_checksum_failed: 'document_invalid',
  mrz_visual_mismatch: 'document_inconsistent',
  mrz_corrected: 'document_inconsistent',
  barcode_not_found: 'document_unreadable',
  barcode_invalid: 'document_invalid',
  portrait_not_found: 'document_unreadable',
  field_missing: 'document_unreadable',
  image_blurry: 'document_unreadable',
  image_glare: 'document_unreadable',
  image_dark: 'document_unreadable',
  image_cropped: 'document_unreadable',
  image_low_resolution: 'document_unreadable',
  screen_capture_suspected: 'document_tampered',
  tampering_suspected: 'document_tampered',
  secure_qr_signature_invalid: 'document_invalid',
  secure_qr_no_certificates: 'document_unreadable',
  no_face: 'liveness_failed',
  spoof_suspected: 'liveness_failed',
  challenge_failed: 'liveness_failed',
  face_mismatch: 'face_mismatch',
  face_match_borderline: 'face_match_inconclusive',
  document_face_missing: 'face_match_inconclusive',
  face_models_unavailable: 'face_match_inconclusive',
  aml_potential_match: 'aml_potential_match',
  lists_not_loaded: 'aml_unavailable',
  list_load_failed: 'aml_unavailable',
  insufficient_identity_data: 'aml_unavailable',
  age_below_minimum: 'underage',
  age_not_determined: 'age_unverified',
  duplicate_document: 'duplicate_document',
  duplicate_face: 'duplicate_face',
  possible_duplicate_face: 'duplicate_face',
  document_blocklisted: 'document_blocklisted',
  face_blocklisted: 'face_blocklisted',
  ip_anonymizer: 'ip_risk',
  ip_country_mismatch: 'ip_country_mismatch',
}

/** The reason for a check that did not pass and has no warning with a more specific reason. */
const reasonOfKind: Readonly<Record<CheckKind, { failed: DecisionReason; other: DecisionReason }>> = {
  consent: { failed: 'consent_declined', other: 'manual_review_required' },
  email: { failed: 'email_unverified', other: 'email_unverified' },
  document: { failed: 'document_invalid', other: 'document_unreadable' },
  liveness: { failed: 'liveness_failed', other: 'liveness_inconclusive' },
  face_match: { failed: 'face_mismatch', other: 'face_match_inconclusive' },
  aml: { failed: 'aml_confirmed_match', other: 'aml_unavailable' },
  age: { failed: 'underage', other: 'age_unverified' },
  duplicate: { failed: 'duplicate_document', other: 'manual_review_required' },
  ip: { failed: 'ip_risk', other: 'manual_review_required' },
}

/** Kinds with a dedicated reason for an error. An error of any other kind is a `processing_error`. */
const kindsWithOwnError: ReadonlySet<CheckKind> = new Set(['liveness', 'face_match', 'aml', 'age'])

/**
 * The engine's decision. A failed check declines the session if the workflow sets `auto_decline` (AML alone never
 * does); otherwise it sends the session to review. Any warning, and any check that could not run, also sends the
 * session to review. Everything else is approved.
 */
export function decide(config: WorkflowConfig, checks: readonly DecisionInput[]): Outcome {
  const expected = enabledChecks(config).map(
    (kind): DecisionInput =>
      checks.find((check) => check.kind === kind) ?? { kind, status: 'error', warnings: [], timed_out: true },
  )
  const failed = expected.filter((check) => check.status === 'failed')
  const declining = failed.filter((check) => check.kind !== 'aml')
  if (config.decision.auto_decline && declining.length > 0) {
    return { status: 'declined', decision_reason: firstReason(declining.flatMap(reasonsOf)) }
  }
  const open = expected.filter((check) => !isClean(check, config))
  if (open.length === 0) return { status: 'approved', decision_reason: null }
  return { status: 'in_review', decision_reason: firstReason(open.flatMap(reasonsOf)) }
}

function isClean(check: DecisionInput, config: WorkflowConfig): boolean {
  if (check.status === 'passed') return true
  // Only a step that the workflow marks as optional may be skipped.
  return check.status === 'skipped' && check.kind === 'email' && !config.steps.email.required
}

function reasonsOf(check: DecisionInput): DecisionReason[] {
  const { kind, status } = check
  if (check.timed_out || (status === 'error' && !kindsWithOwnError.has(kind))) return ['processing_error']
  // Use only warnings of the severities that led to this status; informational ones never give the reason.
  const weight = status === 'failed' ? ['high'] : ['high', 'medium']
  const told = check.warnings
    .filter((warning) => weight.includes(warning.severity))
    .map((warning) => reasonOfWarning[warning.code])
    .filter((reason) => reason !== undefined)
  if (told.length > 0) return told
  return [status === 'failed' ? reasonOfKind[kind].failed : reasonOfKind[kind].other]
}

function firstReason(reasons: readonly DecisionReason[]): DecisionReason {
  return decisionReasons.find((reason) => reasons.includes(reason)) ?? 'manual_review_required'
}
