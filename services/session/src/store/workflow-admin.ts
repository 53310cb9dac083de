import { toTimestamp, type WorkflowConfig, type WorkflowListItem, workflowConfig } from '@kyc/common'
import type { Sql } from '@kyc/runtime'

type WorkflowRow = {
  id: string
  name: string
  is_default: boolean
  version: number
  created_at: Date
  updated_at: Date
  archived_at: Date | null
  config: WorkflowConfig
  sessions_30_days: string
}

const select = (where: string) => `
  SELECT workflow.*, workflow_version.config,
    (SELECT coalesce(sum(count), 0) FROM analytics_day
     WHERE analytics_day.app_id = workflow.app_id AND analytics_day.workflow_id = workflow.id
       AND metric = 'funnel' AND key = 'created' AND day > $2::date - 30) AS sessions_30_days
  FROM workflow JOIN workflow_version ON workflow_version.workflow_id = workflow.id
    AND workflow_version.version = workflow.version
  WHERE workflow.app_id = $1 ${where}
  ORDER BY workflow.archived_at IS NOT NULL, workflow.is_default DESC, workflow.created_at, workflow.id`

const present = (row: WorkflowRow): WorkflowListItem => ({
  id: row.id,
  name: row.name,
  is_default: row.is_default,
  version: row.version,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
  archived_at: row.archived_at ? toTimestamp(row.archived_at) : null,
  config: workflowConfig.parse(row.config),
  sessions_30_days: Number(row.sessions_30_days),
})

/** All workflows of an app, the default first, archived ones last. */
export async function listWorkflows(sql: Sql, appId: string, today: Date): Promise<WorkflowListItem[]> {
  const { rows } = await sql.query<WorkflowRow>(select(''), [appId, today])
  return rows.map(present)
}

export async function findWorkflow(
  sql: Sql,
  appId: string,
  workflowId: string,
  today: Date,
): Promise<WorkflowListItem | null> {
  const { rows } = await sql.query<WorkflowRow>(select('AND workflow.id = $3'), [appId, today, workflowId])
  return rows[0] ? present(rows[0]) : null
}

export async function findWorkflowName(sql: Sql, workflowId: string): Promise<string> {
  const { rows } = await sql.query<{ name: string }>('SELECT name FROM workflow WHERE id = $1', [workflowId])
  return rows[0]?.name ?? workflowId
}

export type VersionRow = { version: number; created_at: Date; created_by: string | null }

/** Newest first. */
export async function listVersions(sql: Sql, workflowId: string): Promise<VersionRow[]> {
  const { rows } = await sql.query<VersionRow>(
    `SELECT version, created_at, created_by FROM workflow_version WHERE workflow_id = $1 ORDER BY version DESC`,
    [workflowId],
  )
  return rows
}

export async function findVersion(
  sql: Sql,
  appId: string,
  workflowId: string,
  version: number,
): Promise<(VersionRow & { config: WorkflowConfig }) | null> {
  const { rows } = await sql.query<VersionRow & { config: WorkflowConfig }>(
    `SELECT workflow_version.version, workflow_version.created_at, created_by, config
     FROM workflow JOIN workflow_version ON workflow_id = workflow.id
     WHERE app_id = $1 AND workflow.id = $2 AND workflow_version.version = $3`,
    [appId, workflowId, version],
  )
  const row = rows[0]
  return row ? { ...row, config: workflowConfig.parse(row.config) } : null
}

/** Serializes changes of an app's workflows, so that there is always exactly one default. */
export async function lockWorkflows(sql: Sql, appId: string): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('workflow ' || $1, 0))`, [appId])
}

export async function insertWorkflowRow(
  sql: Sql,
  workflow: { id: string; app_id: string; name: string; at: Date },
): Promise<void> {
  await sql.query(
    `INSERT INTO workflow (id, app_id, name, is_default, version, created_at, updated_at)
     VALUES ($1, $2, $3, false, 0, $4, $4)`,
    [workflow.id, workflow.app_id, workflow.name, workflow.at],
  )
}

/** Inserts the next version, which new sessions use from now on. */
export async function insertVersion(
  sql: Sql,
  workflowId: string,
  next: { version: number; name: string; config: WorkflowConfig; created_by: string; at: Date },
): Promise<void> {
  await sql.query(
    `INSERT INTO workflow_version (workflow_id, version, config, created_at, created_by)
     VALUES ($1, $2, $3::jsonb, $4, $5)`,
    [workflowId, next.version, JSON.stringify(next.config), next.at, next.created_by],
  )
  await sql.query('UPDATE workflow SET version = $2, name = $3, updated_at = $4 WHERE id = $1', [
    workflowId,
    next.version,
    next.name,
    next.at,
  ])
}

export async function makeDefault(sql: Sql, appId: string, workflowId: string, at: Date): Promise<void> {
  await sql.query(
    'UPDATE workflow SET is_default = false, updated_at = $3 WHERE app_id = $1 AND is_default AND id <> $2',
    [appId, workflowId, at],
  )
  await sql.query('UPDATE workflow SET is_default = true, updated_at = $3 WHERE app_id = $1 AND id = $2', [
    appId,
    workflowId,
    at,
  ])
}

export async function archive(sql: Sql, appId: string, workflowId: string, at: Date): Promise<void> {
  await sql.query('UPDATE workflow SET archived_at = $3, updated_at = $3 WHERE app_id = $1 AND id = $2', [
    appId,
    workflowId,
    at,
  ])
}
