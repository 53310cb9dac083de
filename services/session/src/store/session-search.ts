import { type SessionFilter, sessionStatuses } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { SessionRow } from './session-record.ts'

export type ListedRow = SessionRow & { workflow_name: string }

/** `seq` and `created_at` can disagree by at most the duration of a transaction, which is far less than this. */
const disorder = `interval '5 minutes'`

/** SQL conditions on `session`; their parameters are appended to `values`. */
function conditionsOf(appId: string, filter: SessionFilter, values: unknown[]): string[] {
  const put = (value: unknown) => `$${values.push(value)}`
  const app = put(appId)
  const conditions = [`session.app_id = ${app}`]
  const equal = (column: string, value: string | null) => {
    if (value !== null) conditions.push(`session.${column} = ${put(value)}`)
  }
  equal('workflow_id', filter.workflow_id)
  equal('decision_reason', filter.reason)
  equal('vendor_data', filter.vendor_data)
  equal('session_id', filter.session_id)
  if (filter.assignee === 'none') conditions.push('session.assignee_id IS NULL')
  else equal('assignee_id', filter.assignee)
  // Pages are walked by seq, so a time span also becomes a range of seq that bounds the walk.
  const edge = (from: string, order: 'ASC' | 'DESC') =>
    `(SELECT seq FROM session WHERE app_id = ${app} AND created_at ${from} ORDER BY created_at ${order}, seq ${order} LIMIT 1)`
  if (filter.created_from !== null) {
    const from = put(filter.created_from)
    conditions.push(
      `session.created_at >= ${from}::timestamptz`,
      `session.seq >= ${edge(`>= ${from}::timestamptz - ${disorder}`, 'ASC')}`,
    )
  }
  if (filter.created_to !== null) {
    const to = put(filter.created_to)
    conditions.push(
      `session.created_at < ${to}::timestamptz`,
      `session.seq <= ${edge(`< ${to}::timestamptz + ${disorder}`, 'DESC')}`,
    )
  }
  return conditions
}

/**
 * One page, newest first, starting before `beforeSeq`; one row more than `limit` if there are more. Name words and
 * warnings are walked in their own indexes, and each of several statuses in its own, so that no page reads much more
 * than it returns.
 */
export async function searchSessions(
  sql: Sql,
  appId: string,
  filter: SessionFilter,
  names: readonly (readonly Buffer[])[],
  page: { beforeSeq: string | null; limit: number },
): Promise<ListedRow[]> {
  const values: unknown[] = []
  const put = (value: unknown) => `$${values.push(value)}`
  const conditions = conditionsOf(appId, filter, values)
  if (page.beforeSeq !== null) conditions.push(`session.seq < ${put(page.beforeSeq)}::bigint`)
  const joined =
    filter.warning === null
      ? ''
      : ` JOIN session_warning ON session_warning.seq = session.seq AND session_warning.app_id = $1
          AND session_warning.code = ${put(filter.warning)}`
  for (const forms of names) {
    conditions.push(
      `session.seq IN (SELECT seq FROM session_name WHERE session_name.app_id = $1
         AND word_hash = ANY(${put(forms)}::bytea[]))`,
    )
  }
  const limit = put(page.limit + 1)
  const branch = (more: string) =>
    `(SELECT session.seq FROM session${joined} WHERE ${conditions.join(' AND ')}${more} ORDER BY session.seq DESC LIMIT ${limit})`
  // Reasons are indexed within each status, so a combination that never occurs costs a single lookup.
  const statuses = filter.statuses.length === 0 && filter.reason !== null ? sessionStatuses : filter.statuses
  const branches =
    statuses.length === 0
      ? branch('')
      : statuses.map((status) => branch(` AND session.status = ${put(status)}`)).join(' UNION ALL ')
  const { rows } = await sql.query<ListedRow>(
    `SELECT session.*, workflow.name AS workflow_name
     FROM (SELECT seq FROM (${branches}) AS found ORDER BY seq DESC LIMIT ${limit}) AS chosen
     JOIN session USING (seq) JOIN workflow ON workflow.id = session.workflow_id
     ORDER BY session.seq DESC`,
    values,
  )
  return rows
}

/** The number of sessions by status, from the counter table. */
export async function countByStatus(sql: Sql, appId: string, statuses: readonly string[]): Promise<number> {
  const { rows } = await sql.query<{ total: string }>(
    `SELECT coalesce(sum(count), 0) AS total FROM session_count
     WHERE app_id = $1 AND (cardinality($2::text[]) = 0 OR status = ANY($2))`,
    [appId, statuses],
  )
  return Number(rows[0]?.total ?? 0)
}
