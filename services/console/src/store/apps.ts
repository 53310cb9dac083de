import type { Environment } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

export type App = {
  app_id: string
  revision: number
  environment: Environment
  name: string
  logo_url: string | null
  accent: string | null
  retention_days: number
  callback_hosts: string[] | null
  created_at: Date
}

const columns =
  'app_id, revision, environment, name, logo_url, accent, retention_days, callback_hosts, created_at'

export async function findApp(sql: Sql, appId: string, lock = false): Promise<App | null> {
  const { rows } = await sql.query<App>(
    `SELECT ${columns} FROM app WHERE app_id = $1${lock ? ' FOR UPDATE' : ''}`,
    [appId],
  )
  return rows[0] ?? null
}

/** `appIds` null: all. */
export async function listApps(sql: Sql, appIds: readonly string[] | null): Promise<App[]> {
  const { rows } = await sql.query<App>(
    `SELECT ${columns} FROM app WHERE $1::text[] IS NULL OR app_id = ANY ($1) ORDER BY created_at, app_id`,
    [appIds],
  )
  return rows
}

export async function insertApp(sql: Sql, app: App): Promise<void> {
  await sql.query(`INSERT INTO app (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, [
    app.app_id,
    app.revision,
    app.environment,
    app.name,
    app.logo_url,
    app.accent,
    app.retention_days,
    app.callback_hosts,
    app.created_at,
  ])
}

export async function saveApp(sql: Sql, app: App): Promise<void> {
  await sql.query(
    `UPDATE app SET revision = $2, name = $3, logo_url = $4, accent = $5, retention_days = $6, callback_hosts = $7
     WHERE app_id = $1`,
    [app.app_id, app.revision, app.name, app.logo_url, app.accent, app.retention_days, app.callback_hosts],
  )
}
