import { countReferences, type Sql } from '@kyc/runtime'
import type { Scope } from '../domain/session-scope.ts'

/** Deletes everything that is kept of a session. The face's row stays, empty, until every replica forgot it. */
export async function deleteSession(tx: Sql, scope: Scope): Promise<Record<string, number>> {
  const values = [scope.app_id, scope.session_id]
  const from = async (table: string) =>
    (await tx.query(`DELETE FROM ${table} WHERE app_id = $1 AND session_id = $2`, values)).rowCount
  const faces = await tx.query(
    `UPDATE face SET sealed = NULL, vendor_data = NULL, changed_at = clock_timestamp()
     WHERE app_id = $1 AND session_id = $2 AND sealed IS NOT NULL`,
    values,
  )
  return {
    face_embeddings: faces.rowCount,
    liveness_attempts: await from('liveness_attempt'),
    liveness_challenges: await from('liveness_challenge'),
    answered_frames: await from('answered_frame'),
  }
}

/** Rows that are left of a session; the empty row of a face is the sign for the replicas and holds nothing. */
export const remainingOfSession = (tx: Sql, sessionId: string) =>
  countReferences(tx, sessionId, { face: 'sealed IS NOT NULL OR vendor_data IS NOT NULL' })
