import { inbox, PermanentError } from '@kyc/bus'
import {
  type CheckKind,
  type checkCompleted,
  check as checkSchema,
  type Decision,
  enabledChecks,
  sealContexts,
  subjectIdentity,
} from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { VaultKeyDestroyedError } from '@kyc/vault'
import type { z } from 'zod'
import { type DecisionInput, decide } from '../domain/decide.ts'
import { type CheckRow, findChecks, upsertCheck } from '../store/checks.ts'
import { insertDecision } from '../store/decisions.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { lockSession, setIdentity } from '../store/sessions.ts'
import { type Operations, scopeOf } from './context.ts'
import { presentDecision } from './present-decision.ts'
import { moved, writeMove } from './transition.ts'

type CheckCompleted = z.output<typeof checkCompleted.payload>

/** Keeps one check's outcome, and decides the session when it was the last one missing. */
export async function recordCheck(
  operations: Operations,
  messageId: string,
  message: CheckCompleted,
  traceparent: string | undefined,
): Promise<void> {
  const row = await rowOf(operations, message)
  const identity = row && message.final ? await publicIdentity(operations, message) : null
  await operations.database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, 'session.check.completed', messageId))) return
    const session = await lockSession(tx, message.app_id, message.session_id)
    if (!row || !session || !accepts(session, message)) return
    await upsertCheck(tx, row)
    if (identity) {
      await setIdentity(tx, session.session_id, identity)
      session.sealed_identity = identity
    }
    if (session.status === 'processing') await decideWhenComplete(operations, tx, session, traceparent)
  })
}

/** A late answer, one for an earlier round, or one for a purged session changes nothing. */
function accepts(session: SessionRecord, message: CheckCompleted): boolean {
  if (session.purged_at || message.round !== session.round) return false
  if (!session.config.steps[message.kind].enabled) return false
  return session.status === 'processing' || (session.status === 'in_progress' && !message.final)
}

/** The row of a check; null when the session was purged meanwhile and its key is gone. */
async function rowOf(operations: Operations, message: CheckCompleted): Promise<CheckRow | null> {
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

/** Of the subject only the public identity is kept here: the unmasked number stays with `checks`. */
async function publicIdentity(operations: Operations, message: CheckCompleted): Promise<Buffer | null> {
  if (!message.sealed_identity) return null
  const bytes = Buffer.from(message.sealed_identity, 'base64')
  const scope = scopeOf(message)
  const subject = subjectIdentity.parse(await operations.vault.open(scope, sealContexts.identity, bytes))
  return operations.vault.seal(scope, sealContexts.identity, subject.identity)
}

export function checkRow(
  message: Pick<CheckCompleted, 'session_id' | 'round' | 'final'>,
  check: z.output<typeof checkSchema>,
  sealed: Buffer,
): CheckRow {
  return {
    session_id: message.session_id,
    kind: check.kind,
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

/** Decides when every enabled check of this round is final. The row of the session is locked. */
export async function decideWhenComplete(
  operations: Operations,
  tx: Sql,
  session: SessionRecord,
  traceparent?: string,
): Promise<void> {
  const rows = await findChecks(tx, session.session_id)
  const done = (kind: CheckKind) => rows.some((row) => row.kind === kind && isFinal(row, session.round))
  if (enabledChecks(session.config).every(done))
    await writeDecision(operations, tx, session, rows, traceparent)
}

/** The deadline has passed: what has not answered is an error, and a person decides. */
export async function decideOverdue(operations: Operations, overdue: SessionRecord): Promise<void> {
  await operations.database.transaction(async (tx) => {
    const session = await lockSession(tx, overdue.app_id, overdue.session_id)
    if (session?.status !== 'processing' || session.sequence !== overdue.sequence) return
    const rows = await findChecks(tx, session.session_id)
    const now = operations.clock.now()
    for (const kind of enabledChecks(session.config)) {
      if (rows.some((row) => row.kind === kind && isFinal(row, session.round))) continue
      await upsertCheck(tx, { ...timedOut(session, kind), completed_at: now })
    }
    await writeDecision(operations, tx, session, await findChecks(tx, session.session_id))
  })
}

const timedOut = (session: SessionRecord, kind: CheckKind): CheckRow => ({
  session_id: session.session_id,
  kind,
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

async function writeDecision(
  operations: Operations,
  tx: Sql,
  session: SessionRecord,
  rows: readonly CheckRow[],
  traceparent?: string,
): Promise<void> {
  const inputs: DecisionInput[] = rows
    .filter((row) => session.config.steps[row.kind].enabled)
    .map(({ kind, status, warnings, timed_out }) => ({ kind, status, warnings, timed_out }))
  const outcome = decide(session.config, inputs)
  const after = moved(operations, session, {
    trigger: 'decided',
    to: outcome.status,
    decision_reason: outcome.decision_reason,
  })
  const decision: Decision = await presentDecision({ vault: operations.vault, sql: tx }, after, {
    checks: rows,
  })
  await insertDecision(
    tx,
    { session_id: session.session_id, sequence: after.sequence, inputs, ...outcome },
    after.updated_at,
  )
  await writeMove(operations, tx, session, after, decision, traceparent)
}
