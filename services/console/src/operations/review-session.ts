import {
  addSessionNote,
  askForAnotherTry,
  assignSession,
  type ConsoleSession,
  conflict,
  type DecisionReason,
  type MatchVerdict,
  notFound,
  rescreenSession,
  reviewAmlMatch,
  type reviewSession as reviewContract,
  reviewSession,
  type SessionNote,
  sealContexts,
} from '@kyc/common'
import { VaultKeyDestroyedError } from '@kyc/vault'
import type { z } from 'zod'
import { explainLostChange } from '../domain/lost-change.ts'
import { findUserNames } from '../store/user-names.ts'
import { findUser } from '../store/users.ts'
import type { Operations } from './context.ts'
import { nameAssignment, readSession, type SessionScope } from './show-session.ts'

/** The actor, as `session` records it. */
export type By = { user_id: string; ip: string | null }
type Lost = Extract<z.output<typeof reviewContract.response>, { outcome: 'conflict' }>

/** Throws 409 with the name of the user who was first. */
async function refuse({ database }: Operations, lost: Lost, attempt: 'assign' | 'change'): Promise<never> {
  const names = await findUserNames(database, [lost.review?.actor.id, lost.assignment?.user_id])
  throw conflict(explainLostChange(lost, attempt, (id) => names.get(id) ?? null))
}

/** Seals a user's text for the bus. Fails for a purged session, which has no key. */
async function sealNote(
  { vault }: Operations,
  scope: SessionScope,
  text: string | null,
): Promise<string | null> {
  if (text === null) return null
  try {
    const { app_id, session_id } = scope
    return (await vault.seal({ app_id, session_id }, sealContexts.note, text)).toString('base64')
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError) throw conflict('The session was purged.')
    throw error
  }
}

export async function decide(
  operations: Operations,
  scope: SessionScope,
  by: By,
  body: {
    status: 'approved' | 'declined'
    sequence: number
    reason: DecisionReason | null
    note: string | null
  },
): Promise<ConsoleSession> {
  const { note, ...decision } = body
  // Look up first, because sealing would create a key for any id in the path.
  await readSession(operations, scope)
  const sealed_note = await sealNote(operations, scope, note)
  const answer = await operations.bus.request(reviewSession, { ...scope, by, ...decision, sealed_note })
  return answer.outcome === 'done' ? readSession(operations, scope) : refuse(operations, answer, 'change')
}

export async function askAgain(
  operations: Operations,
  scope: SessionScope,
  by: By,
  body: { sequence: number; note: string | null },
): Promise<ConsoleSession> {
  await readSession(operations, scope)
  const sealed_note = await sealNote(operations, scope, body.note)
  const request = { ...scope, by, sequence: body.sequence, sealed_note }
  const answer = await operations.bus.request(askForAnotherTry, request)
  return answer.outcome === 'done' ? readSession(operations, scope) : refuse(operations, answer, 'change')
}

export async function judgeMatch(
  operations: Operations,
  scope: SessionScope & { match_id: string },
  by: By,
  body: { verdict: MatchVerdict; note: string | null },
): Promise<ConsoleSession> {
  const session = { app_id: scope.app_id, session_id: scope.session_id }
  await readSession(operations, session)
  const sealed_note = await sealNote(operations, session, body.note)
  const request = { ...scope, by, verdict: body.verdict, sealed_note }
  const answer = await operations.bus.request(reviewAmlMatch, request)
  return answer.outcome === 'done' ? readSession(operations, session) : refuse(operations, answer, 'change')
}

export async function screenAgain(
  operations: Operations,
  scope: SessionScope,
  by: By,
): Promise<ConsoleSession> {
  await operations.bus.request(rescreenSession, { ...scope, by })
  return readSession(operations, scope)
}

/** Assigns to the caller, to another user who sees the app, or to nobody. */
export async function assign(
  operations: Operations,
  scope: SessionScope,
  by: By,
  body: { user_id: string | null; take_over: boolean },
) {
  if (body.user_id !== null) await requireReviewer(operations, scope.app_id, body.user_id)
  const answer = await operations.bus.request(assignSession, { ...scope, by, ...body })
  if (answer.outcome === 'conflict') return refuse(operations, answer, 'assign')
  const names = await findUserNames(operations.database, [answer.assignment?.user_id])
  return { assignment: nameAssignment(answer.assignment, names) }
}

async function requireReviewer({ database }: Operations, appId: string, userId: string): Promise<void> {
  const user = await findUser(database, userId)
  const sees = user && !user.disabled_at && (user.app_ids === null || user.app_ids.includes(appId))
  if (!sees) throw notFound('user')
}

export async function addNote(
  operations: Operations,
  scope: SessionScope,
  by: By,
  text: string,
): Promise<SessionNote & { name: string | null }> {
  await readSession(operations, scope)
  const sealed_note = await sealNote(operations, scope, text)
  if (sealed_note === null) throw new Error('a note has a text')
  const { id, at } = await operations.bus.request(addSessionNote, { ...scope, by, sealed_note })
  const names = await findUserNames(operations.database, [by.user_id])
  return { id, at, text, author_id: by.user_id, name: names.get(by.user_id) ?? null }
}
