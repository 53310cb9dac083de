import type { SessionStatus } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { DocumentMatch } from '../domain/duplicate/duplicate-check.ts'
import type { SessionScope } from './document-sides.ts'

/** Maximum number of reported matches; more add no information. */
const MAX_MATCHES = 20

/** The documents that the submitted sessions of an app used, as keyed hashes. */
export class DocumentFingerprints {
  /**
   * Finds other sessions of the app with the same document, newest first, then records this one. A lock on the
   * fingerprint orders two simultaneous submissions, so that the later one finds the earlier.
   */
  async matchAndRemember(
    tx: Sql,
    { app_id, session_id }: SessionScope,
    entry: { fingerprint: string; vendor_data_hash: string | null; at: Date },
  ): Promise<DocumentMatch[]> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `${app_id}:${entry.fingerprint}`,
    ])
    const { rows } = await tx.query<DocumentMatch>(
      `SELECT session_id, status FROM document_fingerprint
       WHERE app_id = $1 AND fingerprint = $2 AND session_id <> $3
         AND ($4::text IS NULL OR vendor_data_hash IS DISTINCT FROM $4)
       ORDER BY submitted_at DESC, session_id LIMIT ${MAX_MATCHES}`,
      [app_id, entry.fingerprint, session_id, entry.vendor_data_hash],
    )
    await tx.query(
      `INSERT INTO document_fingerprint (session_id, app_id, fingerprint, vendor_data_hash, status, status_sequence, submitted_at)
       VALUES ($1, $2, $3, $4, 'processing', 0, $5)
       ON CONFLICT (session_id) DO UPDATE SET fingerprint = EXCLUDED.fingerprint,
         vendor_data_hash = EXCLUDED.vendor_data_hash, submitted_at = EXCLUDED.submitted_at
       WHERE document_fingerprint.app_id = EXCLUDED.app_id`,
      [session_id, app_id, entry.fingerprint, entry.vendor_data_hash, entry.at],
    )
    return rows.map(({ session_id: id, status }) => ({ session_id: id, status }))
  }

  /** The fingerprint of the document that a session used; null without one. */
  async find(sql: Sql, { app_id, session_id }: SessionScope): Promise<string | null> {
    const { rows } = await sql.query<{ fingerprint: string }>(
      'SELECT fingerprint FROM document_fingerprint WHERE app_id = $1 AND session_id = $2',
      [app_id, session_id],
    )
    return rows[0]?.fingerprint ?? null
  }

  /** Updates the session status that matches report; transitions may arrive out of order. */
  async setStatus(
    sql: Sql,
    { app_id, session_id }: SessionScope,
    status: SessionStatus,
    sequence: number,
  ): Promise<void> {
    await sql.query(
      `UPDATE document_fingerprint SET status = $3, status_sequence = $4
       WHERE app_id = $1 AND session_id = $2 AND status_sequence < $4`,
      [app_id, session_id, status, sequence],
    )
  }

  /** Returns the number of deleted rows. */
  async forget(tx: Sql, { app_id, session_id }: SessionScope): Promise<number> {
    const { rowCount } = await tx.query(
      'DELETE FROM document_fingerprint WHERE app_id = $1 AND session_id = $2',
      [app_id, session_id],
    )
    return rowCount
  }
}
