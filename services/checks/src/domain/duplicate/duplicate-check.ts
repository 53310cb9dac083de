import { type Action, type SessionStatus, type SubjectIdentity, type Warning, warningOf } from '@kyc/common'
import { statusWithActions } from '../status-with-actions.ts'

export interface DocumentMatch {
  readonly session_id: string
  readonly status: SessionStatus
}

export interface DuplicateResult {
  readonly status: 'passed' | 'warning' | 'failed'
  readonly score: number | null
  readonly data: { document_matches: readonly DocumentMatch[]; face_matches: readonly never[] }
  readonly warnings: Warning[]
}

/**
 * The text that identifies a document: issuing state and number, without case, spaces and separators, which issuers use
 * for layout only. Null when either is unknown. It must be hashed under a key of the app and never stored in plain
 * text.
 */
export function fingerprintText(subject: SubjectIdentity): string | null {
  const number = subject.document_number?.toUpperCase().replace(/[^A-Z0-9]/g, '')
  if (!number || number.length < 4 || !subject.issuing_state) return null
  return `${subject.issuing_state}:${number}`
}

/**
 * Evaluates the other sessions of the app that used the same document, and whether the app blocks it. The workflow's
 * action determines the effect of a duplicate; a blocked document fails regardless.
 */
export function duplicateCheck(
  matches: readonly DocumentMatch[],
  { blocked, action }: { blocked: boolean; action: Action },
): DuplicateResult {
  const warnings: Warning[] = []
  if (blocked)
    warnings.push(warningOf('duplicate', 'document_blocklisted', 'The document is on the block list.'))
  if (matches.length > 0)
    warnings.push(
      warningOf('duplicate', 'duplicate_document', 'The document was used in another session.', {
        details: { sessions: matches.length },
      }),
    )
  return {
    status: statusWithActions(warnings, { duplicate_document: action }),
    score: matches.length === 0 ? 0 : 1,
    data: { document_matches: matches, face_matches: [] },
    warnings,
  }
}
