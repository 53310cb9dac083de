import {
  type Assignment,
  type ConsoleSession,
  type ConsoleSessionItem,
  getSessionDetail,
  type SessionListItem,
  sealContexts,
  sessionDetailContents,
} from '@kyc/common'
import type { z } from 'zod'
import { textsOf } from '../domain/warning-texts.ts'
import { findUserNames } from '../store/user-names.ts'
import { type Actor, type Operations, record } from './context.ts'

export type SessionScope = { app_id: string; session_id: string }
type Names = Map<string, string>
type Detail = z.output<typeof getSessionDetail.response>
type Contents = z.output<typeof sessionDetailContents>

/** Everything about a session, decrypted and with the names of the users who worked on it. */
export async function readSession(operations: Operations, scope: SessionScope): Promise<ConsoleSession> {
  const detail = await operations.bus.request(getSessionDetail, scope)
  const contents = await openContents(operations, scope, detail)
  const names = await findUserNames(operations.database, [
    detail.session.assignment?.user_id,
    ...detail.timeline.map(({ actor }) => actor.id),
    ...detail.reviews.map(({ actor }) => actor.id),
    ...contents.notes.map((note) => note.author_id),
  ])
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null))
  const { sealed_contents: _sealed, purged_decision: _purged, ...facts } = detail
  return {
    ...facts,
    session: nameItem(detail.session, names),
    timeline: detail.timeline.map((entry) => ({
      ...entry,
      actor: { ...entry.actor, name: nameOf(entry.actor.id) },
    })),
    reviews: detail.reviews.map((review, index) => ({
      ...review,
      actor: { ...review.actor, name: nameOf(review.actor.id) },
      note: contents.review_notes[index] ?? null,
    })),
    notes: contents.notes.map((note) => ({ ...note, name: nameOf(note.author_id) })),
    decision: contents.decision,
    warning_texts: textsOf(
      contents.decision.checks.flatMap((check) => check.warnings.map(({ code }) => code)),
    ),
  }
}

/** Like `readSession`, but writes the view to the audit log before anything is shown. */
export async function showSession(
  operations: Operations,
  actor: Actor,
  scope: SessionScope,
): Promise<ConsoleSession> {
  const session = await readSession(operations, scope)
  await record(operations, actor, {
    app_id: scope.app_id,
    action: 'session.viewed',
    target: session.session.session_id,
  })
  return session
}

async function openContents({ vault }: Operations, scope: SessionScope, detail: Detail): Promise<Contents> {
  if (detail.sealed_contents === null) {
    if (!detail.purged_decision) throw new Error('a session came without its decision')
    return { decision: detail.purged_decision, notes: [], review_notes: [] }
  }
  const bytes = Buffer.from(detail.sealed_contents, 'base64')
  return sessionDetailContents.parse(await vault.open(scope, sealContexts.session_detail, bytes))
}

export const nameAssignment = (assignment: Assignment | null, names: Names) =>
  assignment && { ...assignment, name: names.get(assignment.user_id) ?? null }

export const nameItem = (item: SessionListItem, names: Names): ConsoleSessionItem => ({
  ...item,
  assignment: nameAssignment(item.assignment, names),
})
