import { randomUUID } from 'node:crypto'
import { type addSessionNote, toTimestamp } from '@kyc/common'
import type { z } from 'zod'
import { renewHold } from '../store/assignments.ts'
import { insertNote } from '../store/notes.ts'
import { insertEvent } from '../store/session-events.ts'
import { actorOf, recordAudit } from './audit.ts'
import type { Operations } from './context.ts'
import { findUnpurged } from './find-current.ts'
import { heldUntil } from './hold.ts'

type Request = z.output<typeof addSessionNote.request>

/** Stores a note for other reviewers, still sealed as received. A purge deletes it. */
export async function addNote(operations: Operations, request: Request): Promise<{ id: string; at: string }> {
  const session = await findUnpurged(operations, request)
  const now = operations.clock.now()
  const id = randomUUID()
  await operations.database.transaction(async (tx) => {
    await insertNote(tx, {
      id,
      app_id: session.app_id,
      session_id: session.session_id,
      author_id: request.by.user_id,
      at: now,
      sealed_text: Buffer.from(request.sealed_note, 'base64'),
    })
    await renewHold(tx, session, request.by.user_id, heldUntil(now))
    const actor = actorOf(request.by)
    await insertEvent(tx, session, { kind: 'note_added', actor, details: { note_id: id }, at: now })
    await recordAudit(operations, tx, session, actor, 'session.noted', { note_id: id }, request.by.ip)
  })
  return { id, at: toTimestamp(now) }
}
