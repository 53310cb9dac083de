import type { Severity } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

/** Replaces the indexed words of the session's name. */
export async function indexName(
  sql: Sql,
  session: { app_id: string; session_id: string; seq: string },
  wordHashes: readonly Buffer[],
): Promise<void> {
  await sql.query('DELETE FROM session_name WHERE session_id = $1', [session.session_id])
  await sql.query(
    `INSERT INTO session_name (app_id, word_hash, seq, session_id)
     SELECT $1, hash, $2, $3 FROM unnest($4::bytea[]) AS words (hash) ON CONFLICT DO NOTHING`,
    [session.app_id, session.seq, session.session_id, wordHashes],
  )
}

/** Indexes the session by the codes of its warnings. */
export async function indexWarnings(
  sql: Sql,
  session: { app_id: string; seq: string },
  codes: readonly string[],
): Promise<void> {
  await sql.query('DELETE FROM session_warning WHERE seq = $1', [session.seq])
  await sql.query(
    `INSERT INTO session_warning (app_id, code, seq)
     SELECT $1, code, $2 FROM unnest($3::text[]) AS codes (code) ON CONFLICT DO NOTHING`,
    [session.app_id, session.seq, codes],
  )
}

export type WarningSummary = {
  codes: string[]
  warning_count: number
  worst_severity: 'medium' | 'high' | null
}

/** Stores the warning summary that lists show. */
export async function storeWarningCount(
  sql: Sql,
  sessionId: string,
  { warning_count, worst_severity }: Omit<WarningSummary, 'codes'>,
): Promise<void> {
  await sql.query('UPDATE session SET warning_count = $2, worst_severity = $3 WHERE session_id = $1', [
    sessionId,
    warning_count,
    worst_severity,
  ])
}

/** The warning summary that lists show; informational warnings do not count. */
export function summarizeWarnings(
  checks: readonly { warnings: readonly { code: string; severity: Severity }[] }[],
): WarningSummary {
  const told = checks.flatMap((check) => check.warnings).filter((warning) => warning.severity !== 'low')
  return {
    codes: [...new Set(checks.flatMap((check) => check.warnings.map((warning) => warning.code)))],
    warning_count: told.length,
    worst_severity: told.some((warning) => warning.severity === 'high')
      ? 'high'
      : told.length > 0
        ? 'medium'
        : null,
  }
}
