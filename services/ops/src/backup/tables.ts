import type pg from 'pg'

export type Table = { name: string; columns: string[] }

/** The migration history belongs to the target schema, not to the data. */
const notData = '_prisma_migrations'

/** The schema's tables with their data columns, each after the tables that its foreign keys reference. */
export async function tablesOf(client: pg.ClientBase, schema: string): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; needs: string[] }>(
    `SELECT c.relname AS name,
            array(SELECT attname::text FROM pg_attribute
                   WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns,
            array(SELECT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
                   WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS needs
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname <> $2 ORDER BY c.relname`,
    [schema, notData],
  )
  const ordered: Table[] = []
  const placed = new Set<string>()
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ name, needs }) => !placed.has(name) && needs.every((need) => placed.has(need)),
    )
    if (next.length === 0) throw new Error(`the tables of ${schema} need each other in a circle`)
    for (const { name, columns } of next) {
      placed.add(name)
      ordered.push({ name, columns })
    }
  }
  return ordered
}

/** Sequences and the next value of each. */
export async function sequencesOf(client: pg.ClientBase, schema: string): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT sequencename AS name FROM pg_sequences WHERE schemaname = $1',
    [schema],
  )
  const values: Record<string, string> = {}
  for (const { name } of rows) {
    const { rows: state } = await client.query<{ next: string }>(
      `SELECT (last_value + CASE WHEN is_called THEN 1 ELSE 0 END)::text AS next FROM ${quote(schema)}.${quote(name)}`,
    )
    values[name] = state[0]?.next ?? '1'
  }
  return values
}

export async function migrationsOf(client: pg.ClientBase, schema: string): Promise<string[]> {
  const table = `${quote(schema)}._prisma_migrations`
  const { rows: made } = await client.query('SELECT to_regclass($1) AS name', [table])
  if (made[0]?.name === null) return []
  const { rows } = await client.query<{ entry: string }>(
    `SELECT migration_name || ' ' || checksum AS entry FROM ${table} WHERE finished_at IS NOT NULL ORDER BY 1`,
  )
  return rows.map(({ entry }) => entry)
}

export const quote = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`
