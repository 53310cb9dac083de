import { type Consumption, PermanentError } from '@kyc/bus'
import {
  type CheckKind,
  type checkCompleted,
  check as checkSchema,
  type Decision,
  enabledChecks,
  nameWords,
  sealContexts,
  subjectIdentity,
  toTimestamp,
} from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { VaultIntegrityError, VaultKeyDestroyedError } from '@kyc/vault'
import type { z } from 'zod'
import { partsOf, worstStatus } from '../domain/check-parts.ts'
import { type DecisionInput, decide } from '../domain/decide.ts'
import { type CheckRow, findChecks, upsertCheck } from '../store/checks.ts'
import { insertDecision } from '../store/decisions.ts'
import { indexName, indexWarnings, summarizeWarnings } from '../store/search-index.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { lockSession, setIdentity } from '../store/sessions.ts'
import { type Operations, scopeOf } from './context.ts'
import { nameHashes } from './name-hashes.ts'
import { presentDecision } from './present-decision.ts'
import { recordMonitoringMatch } from './record-monitoring-match.ts'
import { moved, writeMove } from './transition.ts'

export type CheckCompleted = z.output<typeof checkCompleted.payload>

type OpenedCheck = {
  row: CheckRow
  identity: { sealed: Buffer; wordHashes: Buffer[] } | null
}

/** Stores a check's outcome, and decides the session when it was the last one missing. */
export function recordCheck(operations: Operations): Consumption<typeof checkCompleted, OpenedCheck> {
  return {
    prefetch: 16,
    prepare: ({ payload }) => openCheck(operations, payload),
    handle: (tx, { payload, traceparent }, opened) =>
      payload.monitoring
        ? recordMonitoringMatch(operations, tx, payload, opened.row, traceparent)
        : storeCheck(operations, tx, payload, opened, traceparent),
  }
}

async function openCheck(operations: Operations, message: CheckCompleted): Promise<OpenedCheck | null> {
  const row = await rowOf(operations, message)
  if (!row) return null
  const withIdentity = message.final && !message.monitoring
  return { row, identity: withIdentity ? await publicIdentity(operations, message) : null }
}

async function storeCheck(
  operations: Operations,
  tx: Sql,
  message: CheckCompleted,
  { row, identity }: OpenedCheck,
  traceparent: string | undefined,
): Promise<void> {
  const session = await lockSession(tx, message.app_id, message.session_id)
  if (!session || !accepts(session, message)) return
  await upsertCheck(tx, row)
  if (row.final) operations.measures.checks.inc({ kind: row.kind, status: row.status })
  if (identity) {
    await setIdentity(tx, session.session_id, identity.sealed)
    await indexName(tx, session, identity.wordHashes)
    session.sealed_identity = identity.sealed
  }
  if (session.status === 'processing') await decideWhenComplete(operations, tx, session, traceparent)
}

/** False for results that arrive late, or that belong to an earlier round, a disabled step or a purged session. */
function accepts(session: SessionRecord, message: CheckCompleted): boolean {
  if (session.purged_at || message.round !== session.round) return false
  if (!session.config.steps[message.kind].enabled) return false
  return session.status === 'processing' || (session.status === 'in_progress' && !message.final)
}

/** The row of a check; null if the session was purged in the meantime and its key is gone. */
export async function rowOf(operations: Operations, message: CheckCompleted): Promise<CheckRow | null> {
  const sealed = Buffer.from(message.sealed_check, 'base64')
  let opened: unknown
  try {
    opened = await operations.vault.open(scopeOf(message), sealContexts.check_data, sealed)
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError) return null
    throw error
  }
  const parsed = checkSchema.safeParse(opened)
  if (!parsed.success || parsed.data.kind !== message.kind) {
    throw new PermanentError(`the sealed check is not a ${message.kind} check`)
  }
  return checkRow(message, parsed.data, sealed)
}

/** Stores only the public identity of the subject here; the unmasked document number stays in `checks`. */
async function publicIdentity(
  operations: Operations,
  message: CheckCompleted,
): Promise<{ sealed: Buffer; wordHashes: Buffer[] } | null> {
  if (!message.sealed_identity) return null
  const bytes = Buffer.from(message.sealed_identity, 'base64')
  const scope = scopeOf(message)
  const { identity } = subjectIdentity.parse(await operations.vault.open(scope, sealContexts.identity, bytes))
  return {
    sealed: await operations.vault.seal(scope, sealContexts.identity, identity),
    wordHashes: await nameHashes(operations.vault, message.app_id, nameWords(identity.full_name ?? '')),
  }
}

export function checkRow(
  message: Pick<CheckCompleted, 'session_id' | 'round' | 'final' | 'part'>,
  check: z.output<typeof checkSchema>,
  sealed: Buffer,
): CheckRow {
  return {
    session_id: message.session_id,
    kind: check.kind,
    part: message.part ?? '',
    round: message.round,
    final: message.final,
    status: check.status,
    score: check.score,
    warnings: check.warnings.map(({ code, severity }) => ({ code, severity })),
    attempts: check.attempts,
    started_at: check.started_at ? new Date(check.started_at) : null,
    completed_at: check.completed_at ? new Date(check.completed_at) : null,
    timed_out: false,
    sealed,
  }
}

const isFinal = (row: CheckRow, round: number) => row.final && row.round === round && row.status !== 'pending'

/** The checks that this round still waits for. */
const missingParts = (session: SessionRecord, rows: readonly CheckRow[]) =>
  enabledChecks(session.config)
    .flatMap((kind) => partsOf(kind, session.config).map((part) => ({ kind, part })))
    .filter(
      ({ kind, part }) =>
        !rows.some((row) => row.kind === kind && row.part === part && isFinal(row, session.round)),
    )

/** Decides when every enabled check of this round is final. The caller has locked the row of the session. */
export async function decideWhenComplete(
  operations: Operations,
  tx: Sql,
  session: SessionRecord,
  traceparent?: string,
): Promise<void> {
  const rows = await findChecks(tx, session.session_id)
  if (missingParts(session, rows).length === 0)
    await writeDecision(operations, tx, session, rows, traceparent)
}

/** The deadline has passed: missing checks count as errors, and the session goes to review. */
export async function decideOverdue(operations: Operations, overdue: SessionRecord): Promise<void> {
  await operations.database.transaction(async (tx) => {
    const session = await lockSession(tx, overdue.app_id, overdue.session_id)
    if (session?.status !== 'processing' || session.sequence !== overdue.sequence) return
    const rows = await findChecks(tx, session.session_id)
    const now = operations.clock.now()
    for (const { kind, part } of missingParts(session, rows)) {
      await upsertCheck(tx, { ...timedOut(session, kind, part), completed_at: now })
    }
    await writeDecision(operations, tx, session, await findChecks(tx, session.session_id))
  })
}

const timedOut = (session: SessionRecord, kind: CheckKind, part: string): CheckRow => ({
  session_id: session.session_id,
  kind,
  part,
  round: session.round,
  final: true,
  status: 'error',
  score: null,
  warnings: [],
  attempts: 0,
  started_at: null,
  completed_at: null,
  timed_out: true,
  sealed: null,
})

/** The parts of one kind as one input of the decision. */
function inputOf(kind: CheckKind, rows: readonly CheckRow[]): DecisionInput {
  const parts = rows.filter((row) => row.kind === kind)
  return {
    kind,
    status: worstStatus(parts.map((part) => part.status)),
    warnings: parts.flatMap((part) => part.warnings),
    timed_out: parts.some((part) => part.timed_out),
  }
}

async function writeDecision(
  operations: Operations,
  tx: Sql,
  session: SessionRecord,
  rows: readonly CheckRow[],
  traceparent?: string,
): Promise<void> {
  const decision = await presentUndamaged(operations, tx, session, rows)
  const found = enabledChecks(session.config).map((kind) => inputOf(kind, rows))
  // If stored data cannot be opened, it cannot have been checked, so the session goes to review.
  const inputs = decision
    ? found
    : found.map((input) => ({ ...input, status: 'error' as const, timed_out: true }))
  const outcome = decide(session.config, inputs)
  const warnings = summarizeWarnings(inputs)
  const after = moved(operations, session, {
    trigger: 'decided',
    to: outcome.status,
    decision_reason: outcome.decision_reason,
    set: { warning_count: warnings.warning_count, worst_severity: warnings.worst_severity },
  })
  await indexWarnings(tx, session, warnings.codes)
  await insertDecision(
    tx,
    { session_id: session.session_id, sequence: after.sequence, inputs, ...outcome },
    after.updated_at,
  )
  const { status, decision_reason, completed_at } = after
  const completed = completed_at ? toTimestamp(completed_at) : null
  const decided = decision && { ...decision, status, decision_reason, completed_at: completed }
  await writeMove(operations, tx, session, after, decided, traceparent)
}

/** The decision object before the transition; null if stored data of the session is damaged. */
async function presentUndamaged(
  operations: Operations,
  tx: Sql,
  session: SessionRecord,
  checks: readonly CheckRow[],
): Promise<Decision | null> {
  try {
    return await presentDecision({ vault: operations.vault, sql: tx }, session, { checks })
  } catch (error) {
    if (!(error instanceof VaultIntegrityError || error instanceof VaultKeyDestroyedError)) throw error
    operations.logger.error('what is stored of a session is damaged', { ...scopeOf(session), error })
    return null
  }
}
