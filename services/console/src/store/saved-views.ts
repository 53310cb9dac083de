import type { SavedView } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

/** The user and the app that a view belongs to. */
export type Owner = { app_id: string; user_id: string }

export async function listViews(sql: Sql, { app_id, user_id }: Owner): Promise<SavedView[]> {
  const { rows } = await sql.query<SavedView>(
    'SELECT id, page, name, filters FROM saved_view WHERE app_id = $1 AND user_id = $2 ORDER BY name',
    [app_id, user_id],
  )
  return rows
}

/** Overwrites the view with the same page and name. Returns its id. */
export async function upsertView(
  sql: Sql,
  { app_id, user_id }: Owner,
  { id, page, name, filters }: SavedView,
  now: Date,
): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO saved_view (id, user_id, app_id, page, name, filters, created_at)
     VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7)
     ON CONFLICT (app_id, user_id, page, name) DO UPDATE SET filters = excluded.filters RETURNING id`,
    [id, user_id, app_id, page, name, JSON.stringify(filters), now],
  )
  return rows[0]?.id ?? id
}

/** False if the user has no such view in this app. */
export async function deleteView(sql: Sql, { app_id, user_id }: Owner, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    'DELETE FROM saved_view WHERE app_id = $1 AND user_id = $2 AND id = $3',
    [app_id, user_id, id],
  )
  return rowCount > 0
}
