import type { Sql } from '@kyc/runtime'
import type { SessionScope } from './document-sides.ts'

/**
 * Addresses from which sessions were submitted, as keyed hashes: how often an address is used, and whether it changed.
 */
export class ClientVisits {
  /**
   * Counts the app's sessions from this address in the day before `at`, including this one, and whether an earlier
   * round used another address.
   */
  async countAndRemember(
    tx: Sql,
    { app_id, session_id }: SessionScope,
    visit: { round: number; address_hash: string; at: Date },
  ): Promise<{ sessions: number; changed: boolean }> {
    await tx.query(
      `INSERT INTO client_visit (session_id, round, app_id, address_hash, seen_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (session_id, round) DO NOTHING`,
      [session_id, visit.round, app_id, visit.address_hash, visit.at],
    )
    const { rows } = await tx.query<{ sessions: number; changed: boolean }>(
      `SELECT
         (SELECT count(DISTINCT session_id)::int FROM client_visit
          WHERE app_id = $1 AND address_hash = $2 AND seen_at > $3::timestamptz - interval '24 hours') AS sessions,
         EXISTS (SELECT 1 FROM client_visit
          WHERE app_id = $1 AND session_id = $4 AND round < $5 AND address_hash <> $2) AS changed`,
      [app_id, visit.address_hash, visit.at, session_id, visit.round],
    )
    return rows[0]!
  }

  /** Returns the number of deleted rows. */
  async forget(tx: Sql, { app_id, session_id }: SessionScope): Promise<number> {
    const { rowCount } = await tx.query('DELETE FROM client_visit WHERE app_id = $1 AND session_id = $2', [
      app_id,
      session_id,
    ])
    return rowCount
  }

  /** Deletes visits that no count includes any more. Returns the number of deleted rows. */
  async deleteBefore(sql: Sql, before: Date): Promise<number> {
    const { rowCount } = await sql.query('DELETE FROM client_visit WHERE seen_at < $1', [before])
    return rowCount
  }
}
