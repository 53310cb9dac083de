import type { appConfigured } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { z } from 'zod'

export type AppConfigured = z.output<typeof appConfigured.payload>
export type AppRow = Pick<
  AppConfigured,
  'app_id' | 'name' | 'logo_url' | 'accent' | 'retention_days' | 'callback_hosts'
>

/** Stores the newest revision; ignores an older one that arrives late. */
export async function upsertApp(sql: Sql, app: AppConfigured): Promise<void> {
  await sql.query(
    `INSERT INTO app (app_id, revision, environment, name, logo_url, accent, retention_days, callback_hosts)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (app_id) DO UPDATE SET revision = excluded.revision, name = excluded.name,
       logo_url = excluded.logo_url, accent = excluded.accent, retention_days = excluded.retention_days,
       callback_hosts = excluded.callback_hosts
     WHERE app.revision < excluded.revision`,
    [
      app.app_id,
      app.revision,
      app.environment,
      app.name,
      app.logo_url,
      app.accent,
      app.retention_days,
      app.callback_hosts,
    ],
  )
}

export async function findApp(sql: Sql, appId: string): Promise<AppRow | null> {
  const { rows } = await sql.query<AppRow>('SELECT * FROM app WHERE app_id = $1', [appId])
  return rows[0] ?? null
}
