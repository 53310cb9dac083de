import type { DecisionReason } from '@kyc/common'

/** Why a session may be in review. Typed by the contract, so an unknown code does not compile. */
export const reviewReasons = [
  'aml_potential_match',
  'aml_unavailable',
  'document_expired',
  'document_inconsistent',
  'document_invalid',
  'document_not_supported',
  'document_tampered',
  'document_unreadable',
  'document_blocklisted',
  'duplicate_document',
  'duplicate_face',
  'face_blocklisted',
  'face_match_inconclusive',
  'face_mismatch',
  'liveness_failed',
  'liveness_inconclusive',
  'age_unverified',
  'underage',
  'email_unverified',
  'ip_risk',
  'ip_country_mismatch',
  'manual_review_required',
  'processing_error',
] as const satisfies readonly DecisionReason[]

/** Reasons to decline, in the order in which they are offered. */
export const declineReasons = [
  'document_tampered',
  'document_expired',
  'document_invalid',
  'document_unreadable',
  'document_inconsistent',
  'document_not_supported',
  'liveness_failed',
  'face_mismatch',
  'aml_confirmed_match',
  'duplicate_document',
  'duplicate_face',
  'underage',
  'ip_risk',
  'manual_review_declined',
] as const satisfies readonly DecisionReason[]

export const allReasons = [
  ...new Set<DecisionReason>([
    ...reviewReasons,
    ...declineReasons,
    'consent_declined',
    'session_expired',
    'session_abandoned',
    'purged',
    'resubmission_requested',
  ]),
]
