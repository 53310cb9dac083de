import type { Sql } from '@kyc/runtime'

/** Display names by user id: the name, or the e-mail address if there is none. */
export async function findUserNames(
  sql: Sql,
  ids: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))]
  if (wanted.length === 0) return new Map()
  const { rows } = await sql.query<{ id: string; name: string }>(
    'SELECT id, coalesce(name, email) AS name FROM console_user WHERE id = ANY($1)',
    [wanted],
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}
