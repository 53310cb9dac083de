import { createHash } from 'node:crypto'
import { badRequest, type CreatedSession, conflict, createdSession } from '@kyc/common'
import { VaultKeyDestroyedError } from '@kyc/vault'
import {
  freeReplyKey,
  type ReplyKey,
  type ReplyRow,
  storeReply,
  takeReplyKey,
} from '../store/idempotent-replies.ts'
import { insertSession } from '../store/sessions.ts'
import type { Operations } from './context.ts'
import { type CreateSession, createSession } from './create-session.ts'

const keptMs = 24 * 3_600_000
/** A first request that was killed frees its key after this long. */
const abandonedMs = 60_000
const replyContext = 'idempotent.reply'

/**
 * `Idempotency-Key`: the first request runs and its reply is kept 24 h, sealed; the same key and body get the same
 * reply, another body `conflict`, and so does a repetition while the first runs. Failures free the key.
 */
export async function createSessionOnce(
  operations: Operations,
  request: CreateSession & { key_id: string; idempotency_key: string; raw_body: Buffer },
): Promise<{ created: CreatedSession; replayed: boolean }> {
  const { length } = request.idempotency_key
  if (length < 1 || length > 255) throw badRequest('idempotency-key: must be 1 to 255 characters long')
  const reply: ReplyKey = { key_id: request.key_id, path: '/v1/sessions', key: request.idempotency_key }
  const now = operations.clock.now()
  const bodySha256 = createHash('sha256').update(request.raw_body).digest()
  const known = await takeReplyKey(operations.database, {
    ...reply,
    body_sha256: bodySha256,
    at: now,
    expired_before: new Date(now.getTime() - keptMs),
    abandoned_before: new Date(now.getTime() - abandonedMs),
  })
  if (known) return { created: await replay(operations, request.app_id, known, bodySha256), replayed: true }
  try {
    const created = await operations.database.transaction(async (tx) => {
      const session = await createSession(operations, (row) => insertSession(tx, row), request)
      const scope = { app_id: request.app_id, session_id: session.session_id }
      const sealedBody = await operations.vault.seal(scope, replyContext, session)
      await storeReply(tx, { ...reply, status: 201, session_id: session.session_id, sealed_body: sealedBody })
      return session
    })
    return { created, replayed: false }
  } catch (error) {
    await freeReplyKey(operations.database, reply)
    throw error
  }
}

async function replay(
  operations: Operations,
  appId: string,
  known: ReplyRow,
  bodySha256: Buffer,
): Promise<CreatedSession> {
  if (!known.body_sha256.equals(bodySha256)) {
    throw conflict('idempotency-key: was used before with another body.')
  }
  if (known.status === null || !known.session_id) {
    throw conflict('idempotency-key: the first request with it is still running.', 1)
  }
  const purged = () => conflict('idempotency-key: the session it made was purged.')
  if (!known.sealed_body) throw purged()
  try {
    const scope = { app_id: appId, session_id: known.session_id }
    return createdSession.parse(await operations.vault.open(scope, replyContext, known.sealed_body))
  } catch (error) {
    if (error instanceof VaultKeyDestroyedError) throw purged()
    throw error
  }
}
