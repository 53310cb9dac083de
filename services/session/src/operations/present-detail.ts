import { type getSessionDetail, sealContexts, type TimelineEntry, toTimestamp } from '@kyc/common'
import { z } from 'zod'
import { type CheckRow, findChecks } from '../store/checks.ts'
import { findNotes } from '../store/notes.ts'
import { findConfirmations, findPurge } from '../store/purges.ts'
import { findReviews } from '../store/reviews.ts'
import { type EventRow, findEvents } from '../store/session-events.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { findWorkflowName } from '../store/workflow-admin.ts'
import { type Operations, scopeOf } from './context.ts'
import { findCurrent } from './find-current.ts'
import { listEvidence } from './list-evidence.ts'
import { presentReviewRecord } from './lost-change.ts'
import { noteContext, presentDecision } from './present-decision.ts'
import { presentListItem } from './present-list-item.ts'

type Answer = z.input<typeof getSessionDetail.response>

/** Everything about a session, with the personal data as one sealed value. */
export async function presentDetail(
  operations: Operations,
  request: { app_id: string; session_id: string },
): Promise<Answer> {
  const { vault, database } = operations
  const session = await findCurrent(operations, request)
  const scope = scopeOf(session)
  const [decision, checks, events, reviews, name, purge] = await Promise.all([
    presentDecision({ vault, sql: database }, session),
    findChecks(database, session.session_id),
    findEvents(database, session.session_id),
    findReviews(database, session.session_id),
    findWorkflowName(database, session.workflow_id),
    presentPurge(operations, session),
  ])
  const common = {
    session: presentListItem({ ...session, workflow_name: name }),
    environment: session.environment,
    sequence: session.sequence,
    workflow: {
      id: session.workflow_id,
      name,
      version: session.workflow_version,
      config: session.config,
    },
    timeline: timelineOf(events, checks),
    reviews: reviews.map(presentReviewRecord),
    evidence: await listEvidence(operations, session, decision.checks),
    purge,
  }
  if (session.purged_at) return { ...common, sealed_contents: null, purged_decision: decision }
  const open = async (context: string, bytes: Buffer) =>
    z.string().parse(await vault.open(scope, context, bytes))
  const contents = {
    decision,
    notes: await Promise.all(
      (await findNotes(database, session.session_id)).map(async (note) => ({
        id: note.id,
        author_id: note.author_id,
        at: toTimestamp(note.at),
        text: await open(sealContexts.note, note.sealed_text),
      })),
    ),
    review_notes: await Promise.all(
      reviews.map((row) => (row.sealed_note ? open(noteContext, row.sealed_note) : null)),
    ),
  }
  const sealed = await vault.seal(scope, sealContexts.session_detail, contents)
  return { ...common, sealed_contents: sealed.toString('base64'), purged_decision: null }
}

/** Events, oldest first. Each check appears at its completion time. */
function timelineOf(events: readonly EventRow[], checks: readonly CheckRow[]): TimelineEntry[] {
  const happened = events.map(({ kind, actor_type, actor_id, details, at }) => ({
    at,
    kind,
    actor: { type: actor_type, id: actor_id },
    details,
  }))
  const completed = checks.flatMap((row) =>
    row.completed_at && row.final
      ? [
          {
            at: row.completed_at,
            kind: 'check_completed' as const,
            actor: { type: 'system' as const, id: null },
            details: { kind: row.kind, part: row.part, status: row.status, round: row.round },
          },
        ]
      : [],
  )
  return [...happened, ...completed]
    .sort((a, b) => Math.floor(a.at.getTime() / 1000) - Math.floor(b.at.getTime() / 1000))
    .map((entry) => ({ ...entry, at: toTimestamp(entry.at) }))
}

async function presentPurge({ database }: Operations, session: SessionRecord): Promise<Answer['purge']> {
  if (!session.purged_at) return null
  const [purge, confirmations] = await Promise.all([
    findPurge(database, session),
    findConfirmations(database, session.session_id),
  ])
  return {
    purged_at: toTimestamp(session.purged_at),
    completed_at: purge?.completed_at ? toTimestamp(purge.completed_at) : null,
    confirmations: confirmations.map(({ service, deleted, confirmed_at }) => ({
      service,
      deleted,
      confirmed_at: toTimestamp(confirmed_at),
    })),
  }
}
