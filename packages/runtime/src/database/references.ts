import type { Sql } from './sql.ts'

/** Tables of the bus, which are not counted: their rows name sessions only in sealed payloads and are pruned by age. */
const busTables = ['outbox', 'processed_message']

/**
 * Counts, per table, the rows of this service's schema that still contain data of a session. Tables are found in the
 * catalogue by their `session_id` column, so tables added later are counted too. `kept` names tables whose rows are
 * retained as the record of a purged session, with an SQL condition for rows that still contain personal data, or null
 * if no column ever does.
 */
export async function countReferences(
  sql: Sql,
  sessionId: string,
  kept: Readonly<Record<string, string | null>> = {},
): Promise<Record<string, number>> {
  const { rows } = await sql.query<{ table_name: string }>(
    `SELECT pg_class.relname AS table_name FROM pg_attribute
     JOIN pg_class ON pg_class.oid = pg_attribute.attrelid
     WHERE pg_class.relnamespace = current_schema()::regnamespace AND pg_class.relkind IN ('r', 'p')
       AND pg_attribute.attname = 'session_id' AND NOT pg_attribute.attisdropped
     ORDER BY pg_class.relname`,
  )
  const counted = rows.map((row) => row.table_name).filter((name) => !busTables.includes(name))
  for (const name of Object.keys(kept)) {
    if (!counted.includes(name)) throw new Error(`there is no table ${name} with a session_id to keep`)
  }
  const held = counted.filter((name) => kept[name] !== null)
  if (held.length === 0) return {}
  const parts = held.map((name) => {
    const condition = kept[name]
    return `SELECT '${name}' AS name, count(*)::int AS count FROM "${name}"
      WHERE session_id = $1${condition ? ` AND (${condition})` : ''}`
  })
  const result = await sql.query<{ name: string; count: number }>(parts.join(' UNION ALL '), [sessionId])
  return Object.fromEntries(result.rows.map((row) => [row.name, row.count]))
}

/** Throws when a purge left rows behind, so that it is not confirmed and the message is retried. */
export function expectNoReferences(service: string, remaining: Readonly<Record<string, number>>): void {
  const left = Object.entries(remaining).filter(([, count]) => count > 0)
  if (left.length > 0) {
    throw new Error(
      `${service} still holds rows of a purged session: ${left.map(([name]) => name).join(', ')}`,
    )
  }
}
