import { amlMatch, amlMatchReviewed, notFound, type reviewAmlMatch, toTimestamp } from '@kyc/common'
import type { z } from 'zod'
import { renewHold } from '../store/assignments.ts'
import { upsertMatchReview } from '../store/match-reviews.ts'
import { insertEvent } from '../store/session-events.ts'
import { lockSession } from '../store/sessions.ts'
import { actorOf, recordAudit } from './audit.ts'
import { type Operations, scopeOf } from './context.ts'
import { findInReview } from './find-current.ts'
import { heldUntil } from './hold.ts'
import { orWhoWasFirst } from './lost-change.ts'
import { presentDecision } from './present-decision.ts'
import { openNote } from './review-session.ts'
import { wrongStatus } from './transition.ts'
import { matchesOf, matchNoteContext } from './with-verdicts.ts'

type Request = z.output<typeof reviewAmlMatch.request>
type Answer = z.input<typeof reviewAmlMatch.response>

/** Stores a reviewer's verdict on one match and publishes it: `sanctions-screening` remembers false positives. */
export async function reviewMatch(operations: Operations, request: Request): Promise<Answer> {
  const { vault, database, outbox, clock } = operations
  return orWhoWasFirst(operations, request, async () => {
    const session = await findInReview(operations, request)
    const { checks } = await presentDecision({ vault, sql: database }, session)
    const found = checks.flatMap(matchesOf).find((item) => item.match_id === request.match_id)
    if (!found) throw notFound('match')
    const match = amlMatch.parse(found)
    const note = await openNote(operations, request, request.sealed_note)
    const sealedNote = note === null ? null : await vault.seal(scopeOf(session), matchNoteContext, note)
    const now = clock.now()
    const actor = actorOf(request.by)
    await database.transaction(async (tx) => {
      // Lock the session against a concurrent purge or decision.
      const current = await lockSession(tx, request.app_id, request.session_id)
      if (current?.status !== 'in_review') throw wrongStatus(current?.status ?? session.status)
      await upsertMatchReview(tx, {
        session_id: session.session_id,
        match_id: match.match_id,
        status: request.verdict,
        reviewed_by: request.by.user_id,
        reviewed_at: now,
        sealed_note: sealedNote,
      })
      await renewHold(tx, session, request.by.user_id, heldUntil(now))
      const codes = { match_id: match.match_id, list: match.list, verdict: request.verdict }
      await insertEvent(tx, session, { kind: 'match_reviewed', actor, details: codes, at: now })
      await outbox.append(
        tx,
        amlMatchReviewed,
        {
          ...scopeOf(session),
          match_id: match.match_id,
          list: match.list,
          list_version: match.list_version,
          entity_id: match.entity_id,
          verdict: request.verdict,
          sealed_identity: session.sealed_identity?.toString('base64') ?? null,
          reviewed_at: toTimestamp(now),
        },
        { orderingKey: session.session_id },
      )
      await recordAudit(operations, tx, session, actor, 'aml_match.reviewed', codes, request.by.ip)
    })
    return { outcome: 'done' as const }
  })
}
