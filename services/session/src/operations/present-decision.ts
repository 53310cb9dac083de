import {
  type Check,
  check,
  type Decision,
  emptyIdentity,
  enabledChecks,
  identity,
  type Review,
  sealContexts,
  toTimestamp,
} from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { type Vault, VaultIntegrityError } from '@kyc/vault'
import { mergeParts } from '../domain/check-parts.ts'
import { type CheckRow, findChecks } from '../store/checks.ts'
import { findReview, type ReviewRow } from '../store/reviews.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { scopeOf } from './context.ts'
import { openPersonal } from './personal.ts'
import { withVerdicts } from './with-verdicts.ts'

/** The decision object of a session in its current state, or in the state after applying `changed`. */
export async function presentDecision(
  { vault, sql }: { vault: Vault; sql: Sql },
  session: SessionRecord,
  changed: { checks?: readonly CheckRow[]; review?: Review } = {},
): Promise<Decision> {
  const rows = changed.checks ?? (await findChecks(sql, session.session_id))
  const [checks, personal, review, subject] = await Promise.all([
    Promise.all(
      enabledChecks(session.config).map(async (kind) =>
        withVerdicts({ vault, sql }, session, await presentCheck(vault, session, kind, rows)),
      ),
    ),
    openPersonal(vault, session),
    changed.review ?? presentReview(vault, session, await findReview(sql, session.session_id)),
    openIdentity(vault, session),
  ])
  return {
    session_id: session.session_id,
    status: session.status,
    decision_reason: session.decision_reason,
    workflow_id: session.workflow_id,
    vendor_data: session.vendor_data,
    metadata: personal.metadata,
    identity: subject,
    checks,
    review,
    created_at: toTimestamp(session.created_at),
    submitted_at: session.submitted_at ? toTimestamp(session.submitted_at) : null,
    completed_at: session.completed_at ? toTimestamp(session.completed_at) : null,
    expires_at: toTimestamp(session.expires_at),
  }
}

async function openIdentity(vault: Vault, session: SessionRecord) {
  if (!session.sealed_identity || session.purged_at) return emptyIdentity
  return identity.parse(await vault.open(scopeOf(session), sealContexts.identity, session.sealed_identity))
}

async function presentCheck(
  vault: Vault,
  session: SessionRecord,
  kind: Check['kind'],
  rows: readonly CheckRow[],
): Promise<Check> {
  // After a resubmission request, results of an earlier round do not count.
  const parts = rows.filter(
    (item) => item.kind === kind && (item.round === session.round || session.purged_at !== null),
  )
  if (parts.length === 0) return { ...bare(kind), status: 'pending' }
  return mergeParts(await Promise.all(parts.map((row) => presentPart(vault, session, row))))
}

async function presentPart(vault: Vault, session: SessionRecord, row: CheckRow): Promise<Check> {
  if (row.sealed && !session.purged_at) {
    const opened = check.parse(await vault.open(scopeOf(session), sealContexts.check_data, row.sealed))
    // All sealed checks of a session open in the same scope and context, so compare the kind to detect swapped rows.
    if (opened.kind !== row.kind)
      throw new VaultIntegrityError(`A sealed ${row.kind} check is of another kind.`)
    return opened
  }
  // Purged or never completed: only kind, status and codes are left.
  return {
    ...bare(row.kind),
    status: row.status,
    score: row.score,
    attempts: row.attempts,
    started_at: row.started_at ? toTimestamp(row.started_at) : null,
    completed_at: row.completed_at ? toTimestamp(row.completed_at) : null,
    warnings: row.warnings.map(({ code, severity }) => ({
      code,
      severity,
      message: code,
      field: null,
      details: null,
    })),
  }
}

const bare = (kind: Check['kind']): Omit<Check, 'status'> => ({
  kind,
  score: null,
  data: {},
  warnings: [],
  attempts: 0,
  started_at: null,
  completed_at: null,
  engine: null,
})

export async function presentReview(
  vault: Vault,
  session: SessionRecord,
  row: ReviewRow | null,
): Promise<Review | null> {
  if (!row) return null
  const readable = row.sealed_note && !session.purged_at
  const note = readable ? await vault.open(scopeOf(session), noteContext, row.sealed_note as Buffer) : null
  return {
    reviewed_by: row.reviewed_by,
    reviewed_at: toTimestamp(row.reviewed_at),
    note: typeof note === 'string' ? note : null,
  }
}

export const noteContext = 'review.note'
