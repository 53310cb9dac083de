import type { Sql } from '@kyc/runtime'
import type { Scope } from '../domain/session-scope.ts'

/** Deletes a session's data. The face's row is retained, empty, until every replica has dropped the face from memory. */
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

/** The row of a deleted face is retained as a signal for the other replicas and contains no personal data. */
export const retainedTables = { face: 'sealed IS NOT NULL OR vendor_data IS NOT NULL' }
