import { type BlockedDocument, toTimestamp } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

/** The documents that an app blocks, as the same keyed hashes that the duplicate search uses. */
export class BlockedDocuments {
  async has(sql: Sql, appId: string, fingerprint: string): Promise<boolean> {
    const { rowCount } = await sql.query(
      'SELECT 1 FROM blocked_document WHERE app_id = $1 AND fingerprint = $2',
      [appId, fingerprint],
    )
    return rowCount > 0
  }

  /** Returns the existing entry when the app already blocks this document. */
  async add(
    sql: Sql,
    entry: { id: string; app_id: string; fingerprint: string; at: Date },
  ): Promise<BlockedDocument> {
    const { rows } = await sql.query<{ id: string; created_at: Date }>(
      `INSERT INTO blocked_document (id, app_id, fingerprint, created_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (app_id, fingerprint) DO UPDATE SET fingerprint = EXCLUDED.fingerprint
       RETURNING id, created_at`,
      [entry.id, entry.app_id, entry.fingerprint, entry.at],
    )
    const { id, created_at } = rows[0] as { id: string; created_at: Date }
    return { id, created_at: toTimestamp(created_at) }
  }

  /** Newest first; without any document data. */
  async list(sql: Sql, appId: string): Promise<BlockedDocument[]> {
    const { rows } = await sql.query<{ id: string; created_at: Date }>(
      'SELECT id, created_at FROM blocked_document WHERE app_id = $1 ORDER BY created_at DESC, id',
      [appId],
    )
    return rows.map(({ id, created_at }) => ({ id, created_at: toTimestamp(created_at) }))
  }

  /** False when the app has no such entry. */
  async remove(sql: Sql, appId: string, id: string): Promise<boolean> {
    const { rowCount } = await sql.query('DELETE FROM blocked_document WHERE app_id = $1 AND id = $2', [
      appId,
      id,
    ])
    return rowCount === 1
  }
}
