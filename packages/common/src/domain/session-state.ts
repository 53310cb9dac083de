import { z } from 'zod'

export const sessionStatuses = [
  'not_started',
  'in_progress',
  'processing',
  'approved',
  'declined',
  'in_review',
  'expired',
  'abandoned',
] as const
export const sessionStatus = z.enum(sessionStatuses)
export type SessionStatus = z.infer<typeof sessionStatus>

/** What can trigger a transition. A GET never does, because link scanners open links. */
export type SessionTrigger =
  | 'started'
  | 'expired'
  | 'abandoned'
  | 'consent_refused'
  | 'submitted'
  | 'decided'
  | 'reviewed'
  | 'resubmission_requested'
  | 'purged'
  | 'monitoring_match'
  | 'ledger_replayed'

type Transition = { from: SessionStatus; trigger: SessionTrigger; to: SessionStatus }

/** The complete state machine. Every transition that is not listed is rejected. */
export const transitions: readonly Transition[] = [
  { from: 'not_started', trigger: 'started', to: 'in_progress' },
  { from: 'not_started', trigger: 'expired', to: 'expired' },
  { from: 'in_progress', trigger: 'abandoned', to: 'abandoned' },
  { from: 'in_progress', trigger: 'consent_refused', to: 'declined' },
  { from: 'in_progress', trigger: 'submitted', to: 'processing' },
  { from: 'processing', trigger: 'decided', to: 'approved' },
  { from: 'processing', trigger: 'decided', to: 'declined' },
  { from: 'processing', trigger: 'decided', to: 'in_review' },
  { from: 'in_review', trigger: 'reviewed', to: 'approved' },
  { from: 'in_review', trigger: 'reviewed', to: 'declined' },
  { from: 'in_review', trigger: 'resubmission_requested', to: 'in_progress' },
  { from: 'not_started', trigger: 'purged', to: 'expired' },
  { from: 'in_progress', trigger: 'purged', to: 'expired' },
  { from: 'in_review', trigger: 'purged', to: 'expired' },
  // The session was purged earlier, and a restored backup brought it back in its state before the purge.
  { from: 'processing', trigger: 'ledger_replayed', to: 'expired' },
  { from: 'approved', trigger: 'monitoring_match', to: 'in_review' },
]

export const isAllowed = (from: SessionStatus, trigger: SessionTrigger, to: SessionStatus): boolean =>
  transitions.some((row) => row.from === from && row.trigger === trigger && row.to === to)

/** Final for webhooks: these statuses carry the decision; all others carry `decision: null`. */
export const finalStatuses: readonly SessionStatus[] = ['approved', 'declined', 'in_review']

/** Statuses from which a person or a client can still advance the session. */
export const openStatuses: readonly SessionStatus[] = ['not_started', 'in_progress', 'in_review']

/** In order of precedence: the first reason that caused the outcome is reported. */
export const decisionReasons = [
  'purged',
  'consent_declined',
  'session_expired',
  'session_abandoned',
  'processing_error',
  'document_expired',
  'document_not_supported',
  'document_tampered',
  'document_invalid',
  'liveness_failed',
  'face_mismatch',
  'face_blocklisted',
  'document_blocklisted',
  'underage',
  'duplicate_document',
  'duplicate_face',
  'aml_confirmed_match',
  'aml_potential_match',
  'aml_unavailable',
  'document_unreadable',
  'document_inconsistent',
  'liveness_inconclusive',
  'face_match_inconclusive',
  'age_unverified',
  'email_unverified',
  'ip_risk',
  'ip_country_mismatch',
  'manual_review_required',
  'manual_review_declined',
  'resubmission_requested',
] as const
export const decisionReason = z.enum(decisionReasons)
export type DecisionReason = z.infer<typeof decisionReason>
