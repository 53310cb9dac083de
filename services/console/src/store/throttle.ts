import type { Sql } from '@kyc/runtime'
import type { Window } from '../domain/throttle-rule.ts'

/** Counts one attempt in each window. Returns the seconds until the last full window reopens, or null if none is full. */
export async function countAttempt(sql: Sql, windows: readonly Window[], now: Date): Promise<number | null> {
  let waitMs = 0
  for (const { subject, limit, windowMs } of windows) {
    const { rows } = await sql.query<{ count: number; began_at: Date }>(
      `INSERT INTO throttle (subject, began_at, count) VALUES ($1, $2, 1)
       ON CONFLICT (subject) DO UPDATE SET
         count = CASE WHEN throttle.began_at <= $3 THEN 1 ELSE throttle.count + 1 END,
         began_at = CASE WHEN throttle.began_at <= $3 THEN $2 ELSE throttle.began_at END
       RETURNING count, began_at`,
      [subject, now, new Date(now.getTime() - windowMs)],
    )
    const row = rows[0]
    if (row && row.count > limit) {
      waitMs = Math.max(waitMs, row.began_at.getTime() + windowMs - now.getTime())
    }
  }
  return waitMs > 0 ? Math.ceil(waitMs / 1000) : null
}

/** A successful attempt counts in no window, and resets the user's failures at that address or in that browser. */
export async function forgiveAttempt(sql: Sql, windows: readonly Window[]): Promise<void> {
  const [own, ...others] = windows
  if (own) await sql.query('DELETE FROM throttle WHERE subject = $1', [own.subject])
  for (const { subject } of others) {
    await sql.query('UPDATE throttle SET count = count - 1 WHERE subject = $1 AND count > 0', [subject])
  }
}

/** The attempts that were counted for one subject count for another. */
export async function moveAttempts(sql: Sql, from: string, to: string): Promise<void> {
  await sql.query('UPDATE throttle SET subject = $2 WHERE subject = $1', [from, to])
}

export async function pruneThrottle(sql: Sql, before: Date): Promise<void> {
  await sql.query('DELETE FROM throttle WHERE began_at < $1', [before])
}
