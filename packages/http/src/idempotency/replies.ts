import { badRequest, conflict } from '@kyc/common'
import type { Clock, Sql } from '@kyc/runtime'
import type { Vault, VaultError } from '@kyc/vault'
import {
  finishReply,
  freeReply,
  pruneReplies,
  type ReplyKey,
  type ReplyRow,
  takeReply,
} from './reply-table.ts'

const keptMs = 24 * 3_600_000
/** The key of a first request that was killed is freed after this time; no request runs longer. */
const abandonedMs = 60_000
const context = 'idempotent.reply'
const maxKeyLength = 255

/** A response as stored: `body` is JSON, or null when a repetition recomputes it. */
export type KeptAnswer = { status: number; body: unknown }

/** A request that owns its key until `keep` or `free`. */
export type FirstRequest = ReplyKey & { again: false; started_at: Date }
export type Repetition = ReplyKey & { again: true; started_at: Date; row: ReplyRow }

/** The keys and responses of one service, in a table of its schema. */
export type Replies = {
  database: Sql
  /**
   * Claims the key, or returns what the first request with it stored.
   * @param digest SHA-256 of the body
   * @throws PublicError `bad_request` for a key that is not 1 to 255 characters long; `conflict` if it was used with
   *   another body, and (with `retry-after`) while the first request is running
   */
  begin(
    caller: { app_id: string; key_id: string },
    path: string,
    key: string,
    digest: Buffer,
  ): Promise<FirstRequest | Repetition>
  /**
   * Stores the response, in the transaction of its effect if there is one. Throws if the key was lost in the meantime.
   */
  keep(sql: Sql, first: FirstRequest, answer: KeptAnswer): Promise<void>
  /** Returns the stored response; `conflict` if it was about a session that is now purged. */
  open(repetition: Repetition): Promise<KeptAnswer>
  free(first: FirstRequest): Promise<void>
  /** Deletes entries older than 24 hours; returns how many. */
  prune(): Promise<number>
}

export function createReplies({
  database,
  vault,
  clock,
}: {
  database: Sql
  vault: Pick<Vault, 'keyedHash' | 'seal' | 'open' | 'sealForApp' | 'openForApp'>
  clock: Clock
}): Replies {
  const purged = () => conflict('idempotency-key: the session that the answer was about is purged.')

  return {
    database,

    async begin({ app_id, key_id }, path, key, digest) {
      if (key.length < 1 || key.length > maxKeyLength) {
        throw badRequest(`idempotency-key: must be 1 to ${maxKeyLength} characters long`)
      }
      const [keyHash, bodyHash] = await Promise.all([
        vault.keyedHash({ app_id }, 'idempotency.key', key),
        vault.keyedHash({ app_id }, 'idempotency.body', digest),
      ])
      const reply: ReplyKey = { app_id, key_id, path, key: keyHash }
      const body_sha256 = Buffer.from(bodyHash, 'hex')
      const at = clock.now()
      const row = await takeReply(database, {
        ...reply,
        body_sha256,
        at,
        expired_before: new Date(at.getTime() - keptMs),
        abandoned_before: new Date(at.getTime() - abandonedMs),
      })
      if (!row) return { ...reply, again: false, started_at: at }
      if (!row.body_sha256.equals(body_sha256)) {
        throw conflict('idempotency-key: was used before with another body.')
      }
      if (row.status === null) {
        throw conflict('idempotency-key: the first request with it is still running.', 1)
      }
      return { ...reply, again: true, started_at: row.started_at, row }
    },

    async keep(sql, first, { status, body }) {
      const session_id = sessionOf(body)
      const sealed_body = body === null ? null : await seal(first.app_id, session_id, body)
      if (!(await finishReply(sql, { ...first, status, session_id, sealed_body }))) {
        throw conflict('idempotency-key: another request has taken it.', 1)
      }
    },

    async open({ app_id, row: { status, session_id, sealed_body } }) {
      if (status === null || !sealed_body) throw purged()
      if (session_id === null) return { status, body: await vault.openForApp(app_id, context, sealed_body) }
      try {
        return { status, body: await vault.open({ app_id, session_id }, context, sealed_body) }
      } catch (error) {
        if (isPurged(error)) throw purged()
        throw error
      }
    },

    free: (first) => freeReply(database, first),

    prune: () => pruneReplies(database, new Date(clock.now().getTime() - keptMs)),
  }

  /** Null if the session was purged while its response was computed, because then nothing may be stored. */
  async function seal(app_id: string, session_id: string | null, body: unknown): Promise<Buffer | null> {
    if (session_id === null) return vault.sealForApp(app_id, context, body)
    try {
      return await vault.seal({ app_id, session_id }, context, body)
    } catch (error) {
      if (isPurged(error)) return null
      throw error
    }
  }
}

const isPurged = (error: unknown): boolean =>
  error instanceof Error && (error as Partial<VaultError>).code === 'key_destroyed'

/** A response about a session is sealed under the session's key, so that a purge makes it unreadable. */
function sessionOf(body: unknown): string | null {
  const { session_id } = (body ?? {}) as { session_id?: unknown }
  return typeof session_id === 'string' ? session_id : null
}
