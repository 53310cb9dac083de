import type { Sql } from '@kyc/runtime'

/** The table that every service with idempotent endpoints has in its schema; copied into one of its migrations. */
export const replyTableSql = `CREATE TABLE idempotent_reply (
  app_id      text NOT NULL,
  key_id      text NOT NULL,
  path        text NOT NULL,
  -- Keyed hashes: neither the key nor the body can be guessed from them.
  key         text NOT NULL,
  body_sha256 bytea NOT NULL,
  -- Null while the first request runs.
  status      integer,
  -- Of an answer about a session: sealed under its key, emptied by its purge.
  session_id  text,
  sealed_body bytea,
  started_at  timestamptz NOT NULL,
  PRIMARY KEY (app_id, key_id, path, key)
);
CREATE INDEX idempotent_reply_age ON idempotent_reply (started_at);
`

/** Identifies one Idempotency-Key: by the API key that sent it and the path it was sent to. */
export type ReplyKey = { app_id: string; key_id: string; path: string; key: string }

export type ReplyRow = {
  body_sha256: Buffer
  status: number | null
  session_id: string | null
  sealed_body: Buffer | null
  started_at: Date
}

const ofReply = 'app_id = $1 AND key_id = $2 AND path = $3 AND key = $4'
const valuesOf = ({ app_id, key_id, path, key }: ReplyKey) => [app_id, key_id, path, key]

/** Claims the key for a new request. Returns null if it was free, and the existing row otherwise. */
export async function takeReply(
  sql: Sql,
  reply: ReplyKey & { body_sha256: Buffer; at: Date; expired_before: Date; abandoned_before: Date },
): Promise<ReplyRow | null> {
  const { rowCount } = await sql.query(
    `INSERT INTO idempotent_reply (app_id, key_id, path, key, body_sha256, started_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT ON CONSTRAINT idempotent_reply_pkey DO UPDATE
     SET body_sha256 = excluded.body_sha256, started_at = excluded.started_at,
       status = NULL, session_id = NULL, sealed_body = NULL
     WHERE idempotent_reply.started_at < $7
        OR (idempotent_reply.status IS NULL AND idempotent_reply.started_at < $8)`,
    [...valuesOf(reply), reply.body_sha256, reply.at, reply.expired_before, reply.abandoned_before],
  )
  if (rowCount === 1) return null
  const { rows } = await sql.query<ReplyRow>(
    `SELECT body_sha256, status, session_id, sealed_body, started_at FROM idempotent_reply WHERE ${ofReply}`,
    valuesOf(reply),
  )
  return rows[0] ?? null
}

/** False if another request has reclaimed the key in the meantime, because this one was considered dead. */
export async function finishReply(
  sql: Sql,
  reply: ReplyKey & {
    started_at: Date
    status: number
    session_id: string | null
    sealed_body: Buffer | null
  },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE idempotent_reply SET status = $6, session_id = $7, sealed_body = $8
     WHERE ${ofReply} AND started_at = $5 AND status IS NULL`,
    [...valuesOf(reply), reply.started_at, reply.status, reply.session_id, reply.sealed_body],
  )
  return rowCount === 1
}

/** Frees the key of a request that failed, so that a retry can run. */
export async function freeReply(sql: Sql, reply: ReplyKey & { started_at: Date }): Promise<void> {
  await sql.query(`DELETE FROM idempotent_reply WHERE ${ofReply} AND started_at = $5 AND status IS NULL`, [
    ...valuesOf(reply),
    reply.started_at,
  ])
}

export async function pruneReplies(sql: Sql, before: Date): Promise<number> {
  return (await sql.query('DELETE FROM idempotent_reply WHERE started_at < $1', [before])).rowCount
}

/**
 * Part of a purge: clears every stored response about the session. The row stays, so that a repetition has no effect.
 */
export async function emptyRepliesOfSession(
  sql: Sql,
  { app_id, session_id }: { app_id: string; session_id: string },
): Promise<number> {
  const { rowCount } = await sql.query(
    `UPDATE idempotent_reply SET sealed_body = NULL
     WHERE app_id = $1 AND session_id = $2 AND sealed_body IS NOT NULL`,
    [app_id, session_id],
  )
  return rowCount
}

/** The rows that {@link emptyRepliesOfSession} clears; for `countReferences`. */
export const keptReplies = { idempotent_reply: 'sealed_body IS NOT NULL' } as const
