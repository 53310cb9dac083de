import type { SessionStatus } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { SessionRow } from './session-record.ts'

export type SessionFilter = { app_id: string; status?: SessionStatus; vendor_data?: string }

/**
 * One page, newest first. The page is located with an index only (by `seq`, from the nearer end), and then only its
 * own rows are read, so a late page of a million sessions costs little more than the first.
 */
export async function listSessions(
  sql: Sql,
  filter: SessionFilter,
  page: { page: number; page_size: number },
): Promise<{ rows: SessionRow[]; total: number }> {
  const values: unknown[] = [filter.app_id]
  let where = 'app_id = $1'
  if (filter.status !== undefined) where += ` AND status = $${values.push(filter.status)}`
  if (filter.vendor_data !== undefined) where += ` AND vendor_data = $${values.push(filter.vendor_data)}`

  const total = await countSessions(sql, filter, where, values)
  const offset = (page.page - 1) * page.page_size
  if (offset >= total) return { rows: [], total }
  const size = Math.min(page.page_size, total - offset)
  const fromOldest = offset > total / 2
  const order = fromOldest ? 'ASC' : 'DESC'
  const skip = fromOldest ? total - offset - size : offset
  const { rows } = await sql.query<SessionRow>(
    `SELECT session.* FROM session
     JOIN (SELECT seq FROM session WHERE ${where} ORDER BY seq ${order}
           LIMIT $${values.push(size)} OFFSET $${values.push(skip)}) AS chosen USING (seq)
     ORDER BY seq DESC`,
    values,
  )
  return { rows, total }
}

/** Filtering by vendor_data matches few rows, so count them; otherwise read the counter table. */
async function countSessions(
  sql: Sql,
  filter: SessionFilter,
  where: string,
  values: readonly unknown[],
): Promise<number> {
  const { rows } =
    filter.vendor_data !== undefined
      ? await sql.query<{ total: string }>(`SELECT count(*) AS total FROM session WHERE ${where}`, values)
      : await sql.query<{ total: string }>(
          `SELECT coalesce(sum(count), 0) AS total FROM session_count WHERE ${where}`,
          values,
        )
  return Number(rows[0]?.total ?? 0)
}
