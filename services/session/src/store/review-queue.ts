import type { QueueFilter } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { ListedRow } from './session-search.ts'

export type QueueRow = ListedRow & { in_review_at: Date; in_review_key: string }
/** A page starts after this session. */
export type QueuePosition = { at: string; seq: string }

/** Sessions in review, longest waiting first. Returns one row more than `limit` if there are more. */
export async function listQueue(
  sql: Sql,
  appId: string,
  filter: QueueFilter,
  page: { after: QueuePosition | null; limit: number },
): Promise<QueueRow[]> {
  const values: unknown[] = [appId]
  const put = (value: unknown) => `$${values.push(value)}`
  const conditions = ['app_id = $1', `status = 'in_review'`]
  if (filter.assignee === 'none') conditions.push('assignee_id IS NULL')
  else if (filter.assignee !== null) conditions.push(`assignee_id = ${put(filter.assignee)}`)
  if (filter.reason !== null) conditions.push(`decision_reason = ${put(filter.reason)}`)
  if (filter.workflow_id !== null) conditions.push(`workflow_id = ${put(filter.workflow_id)}`)
  if (filter.waiting_since_before !== null) {
    conditions.push(`in_review_at < ${put(filter.waiting_since_before)}`)
  }
  if (page.after) {
    conditions.push(
      `(in_review_at, seq) > (${put(page.after.at)}::timestamptz, ${put(page.after.seq)}::bigint)`,
    )
  }
  const { rows } = await sql.query<QueueRow>(
    `SELECT session.*, workflow.name AS workflow_name, session.in_review_at::text AS in_review_key
     FROM (SELECT seq FROM session WHERE ${conditions.join(' AND ')}
           ORDER BY in_review_at, seq LIMIT ${put(page.limit + 1)}) AS chosen
     JOIN session USING (seq) JOIN workflow ON workflow.id = session.workflow_id
     ORDER BY session.in_review_at, session.seq`,
    values,
  )
  return rows
}

export type QueueFindings = { session_id: string; sealed: Buffer[]; reviewed_matches: string[] }

/** Sealed document and AML data for the queue, and the matches that have a verdict. */
export async function findQueueFindings(
  sql: Sql,
  sessionIds: readonly string[],
): Promise<Map<string, QueueFindings>> {
  const { rows } = await sql.query<QueueFindings>(
    `SELECT id AS session_id,
       ARRAY(SELECT sealed FROM session_check WHERE session_check.session_id = id
             AND kind IN ('document', 'aml') AND sealed IS NOT NULL) AS sealed,
       ARRAY(SELECT match_id FROM match_review WHERE match_review.session_id = id) AS reviewed_matches
     FROM unnest($1::text[]) AS ids (id)`,
    [sessionIds],
  )
  return new Map(rows.map((row) => [row.session_id, row]))
}
