import type { EvidenceRef } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

type Round = { session_id: string; round: number }

export async function findEvidence(sql: Sql, { session_id, round }: Round): Promise<EvidenceRef[]> {
  const { rows } = await sql.query<EvidenceRef>(
    `SELECT kind, object_id, sha256, capture_method, document_type, country FROM evidence
     WHERE session_id = $1 AND round = $2 ORDER BY kind, position`,
    [session_id, round],
  )
  return rows
}

/** Replaces this round's evidence of one kind with `refs`; returns the replaced object ids. */
export async function replaceEvidence(
  sql: Sql,
  round: Round,
  kind: EvidenceRef['kind'],
  refs: readonly EvidenceRef[],
  at: Date,
): Promise<string[]> {
  const { rows } = await sql.query<{ object_id: string }>(
    'DELETE FROM evidence WHERE session_id = $1 AND round = $2 AND kind = $3 RETURNING object_id',
    [round.session_id, round.round, kind],
  )
  for (const [position, ref] of refs.entries()) {
    await sql.query(
      `INSERT INTO evidence (session_id, round, kind, position, object_id, sha256, capture_method, document_type, country, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        round.session_id,
        round.round,
        kind,
        position,
        ref.object_id,
        ref.sha256,
        ref.capture_method,
        ref.document_type,
        ref.country,
        at,
      ],
    )
  }
  return rows.map((row) => row.object_id)
}
