import { z } from 'zod'
import { timestamp } from './timestamp.ts'

/** In the order in which a decision lists the checks. */
export const checkKinds = [
  'consent',
  'email',
  'document',
  'liveness',
  'face_match',
  'aml',
  'age',
  'duplicate',
  'ip',
] as const
export const checkKind = z.enum(checkKinds)
export type CheckKind = z.infer<typeof checkKind>

export const checkStatus = z.enum(['pending', 'passed', 'warning', 'failed', 'skipped', 'error'])
export type CheckStatus = z.infer<typeof checkStatus>

export const severity = z.enum(['low', 'medium', 'high'])
export type Severity = z.infer<typeof severity>

/**
 * The warning codes of every check kind with their severity: `low` is informational and leaves the check `passed`,
 * `medium` makes it `warning`, and `high` makes it `failed` (or `warning` when the workflow's action is `review`).
 */
export const warningSeverities = {
  consent: { consent_version_outdated: 'low' },
  email: {
    email_disposable: 'medium',
    email_mismatch_contact: 'low',
    email_code_attempts_exceeded: 'medium',
    email_undeliverable: 'medium',
  },
  document: {
    document_expired: 'high',
    document_expiring_soon: 'medium',
    document_type_not_allowed: 'high',
    document_country_not_allowed: 'high',
    document_back_missing: 'medium',
    document_sides_mismatch: 'high',
    mrz_not_found: 'medium',
    mrz_checksum_failed: 'medium',
    mrz_visual_mismatch: 'medium',
    mrz_corrected: 'low',
    barcode_not_found: 'low',
    barcode_invalid: 'medium',
    portrait_not_found: 'medium',
    field_missing: 'medium',
    image_blurry: 'medium',
    image_glare: 'medium',
    image_dark: 'medium',
    image_cropped: 'medium',
    image_low_resolution: 'medium',
    screen_capture_suspected: 'medium',
    tampering_suspected: 'high',
    secure_qr_signature_invalid: 'high',
    secure_qr_no_certificates: 'medium',
    uploaded_not_captured: 'low',
  },
  liveness: {
    no_face: 'high',
    multiple_faces: 'medium',
    face_low_quality: 'medium',
    face_dark: 'medium',
    face_bright: 'medium',
    liveness_low_score: 'medium',
    spoof_suspected: 'high',
    challenge_failed: 'high',
    challenge_expired: 'medium',
  },
  face_match: {
    face_mismatch: 'high',
    face_match_borderline: 'medium',
    document_face_missing: 'medium',
    face_models_unavailable: 'medium',
  },
  aml: {
    aml_potential_match: 'medium',
    lists_not_loaded: 'high',
    list_stale: 'low',
    list_load_failed: 'medium',
    insufficient_identity_data: 'medium',
    single_token_name: 'low',
  },
  age: { age_below_minimum: 'high', age_not_determined: 'medium' },
  duplicate: {
    duplicate_document: 'high',
    duplicate_face: 'high',
    possible_duplicate_face: 'medium',
    document_blocklisted: 'high',
    face_blocklisted: 'high',
  },
  ip: {
    ip_private: 'low',
    ip_country_unknown: 'low',
    ip_country_mismatch: 'high',
    ip_anonymizer: 'high',
    ip_hosting: 'low',
    ip_reused: 'low',
    ip_changed: 'low',
  },
} as const satisfies Record<CheckKind, Record<string, Severity>>

export type WarningCode<K extends CheckKind = CheckKind> = {
  [Kind in K]: keyof (typeof warningSeverities)[Kind] & string
}[K]

export const warning = z.object({
  code: z.string(),
  severity,
  message: z.string(),
  field: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
})
export type Warning = z.infer<typeof warning>

/** Creates a warning with the severity defined for its code. */
export function warningOf<K extends CheckKind>(
  kind: K,
  code: WarningCode<K>,
  message: string,
  options: { field?: string; details?: Record<string, unknown> } = {},
): Warning {
  const table: Record<string, Severity> = warningSeverities[kind]
  const level = table[code]
  if (level === undefined) throw new Error(`${kind} has no warning ${code}`)
  return { code, severity: level, message, field: options.field ?? null, details: options.details ?? null }
}

export const engine = z.object({ name: z.string(), version: z.string() })
export type Engine = z.infer<typeof engine>

export const check = z.object({
  kind: checkKind,
  status: checkStatus,
  score: z.number().nullable(),
  data: z.record(z.string(), z.unknown()),
  warnings: z.array(warning),
  attempts: z.int().min(0),
  started_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  engine: engine.nullable(),
})
export type Check = z.infer<typeof check>

/** The status that follows from the warnings alone, before the workflow's actions: the highest severity decides. */
export function statusOf(warnings: readonly Warning[]): 'passed' | 'warning' | 'failed' {
  if (warnings.some((item) => item.severity === 'high')) return 'failed'
  if (warnings.some((item) => item.severity === 'medium')) return 'warning'
  return 'passed'
}
