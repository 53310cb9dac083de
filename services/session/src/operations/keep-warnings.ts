import type { Sql } from '@kyc/runtime'
import type { CheckRow } from '../store/checks.ts'
import { indexWarnings, storeWarningCount, summarizeWarnings } from '../store/search-index.ts'
import type { SessionRecord } from '../store/session-record.ts'

/** Recomputes a session's warning index and counts after one of its checks was replaced. */
export async function keepWarnings(
  sql: Sql,
  session: SessionRecord,
  checks: readonly CheckRow[],
): Promise<Pick<SessionRecord, 'warning_count' | 'worst_severity'>> {
  const { codes, warning_count, worst_severity } = summarizeWarnings(checks)
  await indexWarnings(sql, session, codes)
  await storeWarningCount(sql, session.session_id, { warning_count, worst_severity })
  return { warning_count, worst_severity }
}
