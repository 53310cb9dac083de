import type { Sql } from '@kyc/runtime'

/** Whether the user has signed in with this browser before. */
export async function isKnownBrowser(sql: Sql, userId: string, browserSha256: string): Promise<boolean> {
  const { rows } = await sql.query('SELECT 1 FROM known_browser WHERE browser_sha256 = $1 AND user_id = $2', [
    Buffer.from(browserSha256, 'hex'),
    userId,
  ])
  return rows.length > 0
}

/** Whether any user has signed in with this browser before. */
export async function isBrowserOfAnyUser(sql: Sql, browserSha256: string): Promise<boolean> {
  const { rows } = await sql.query('SELECT 1 FROM known_browser WHERE browser_sha256 = $1 LIMIT 1', [
    Buffer.from(browserSha256, 'hex'),
  ])
  return rows.length > 0
}

export async function insertKnownBrowser(
  sql: Sql,
  row: { userId: string; browserSha256: Buffer; now: Date },
): Promise<void> {
  await sql.query(
    `INSERT INTO known_browser (user_id, browser_sha256, seen_at) VALUES ($1, $2, $3)
     ON CONFLICT (browser_sha256, user_id) DO UPDATE SET seen_at = $3`,
    [row.userId, row.browserSha256, row.now],
  )
}

/**
 * The other people who use a browser stay known in it when it gets a new cookie, and only there. Returns their ids. If both cookies were
 * valid for them, each sign-in of one person would open another window of guesses at the passwords of the others.
 */
export async function moveKnownBrowser(
  sql: Sql,
  move: { fromSha256: string; toSha256: Buffer; exceptUserId: string },
): Promise<string[]> {
  const { rows } = await sql.query<{ user_id: string }>(
    `UPDATE known_browser SET browser_sha256 = $2 WHERE browser_sha256 = $1 AND user_id <> $3
     RETURNING user_id`,
    [Buffer.from(move.fromSha256, 'hex'), move.toSha256, move.exceptUserId],
  )
  return rows.map((row) => row.user_id)
}

export async function pruneKnownBrowsers(sql: Sql, before: Date): Promise<void> {
  await sql.query('DELETE FROM known_browser WHERE seen_at < $1', [before])
}
