import type { Sql } from '@kyc/runtime'

/** Whether the user has signed in with this browser before. */
export async function isKnownBrowser(sql: Sql, userId: string, browserSha256: string): Promise<boolean> {
  const { rows } = await sql.query('SELECT 1 FROM known_browser WHERE browser_sha256 = $1 AND user_id = $2', [
    Buffer.from(browserSha256, 'hex'),
    userId,
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

/** Keeps a browser with a new cookie known for every user who uses it. */
export async function copyKnownBrowser(sql: Sql, fromSha256: string, toSha256: Buffer): Promise<void> {
  await sql.query(
    `INSERT INTO known_browser (user_id, browser_sha256, seen_at)
     SELECT user_id, $2, seen_at FROM known_browser WHERE browser_sha256 = $1
     ON CONFLICT (browser_sha256, user_id) DO NOTHING`,
    [Buffer.from(fromSha256, 'hex'), toSha256],
  )
}

export async function pruneKnownBrowsers(sql: Sql, before: Date): Promise<void> {
  await sql.query('DELETE FROM known_browser WHERE seen_at < $1', [before])
}
