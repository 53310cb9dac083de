import {
  type archiveWorkflow,
  auditRecorded,
  conflict,
  type createWorkflowByUser,
  type editWorkflow,
  type getWorkflow,
  notFound,
  toTimestamp,
  type WorkflowListItem,
} from '@kyc/common'
import { newId, type Sql } from '@kyc/runtime'
import type { z } from 'zod'
import {
  archive,
  findWorkflow,
  insertVersion,
  insertWorkflowRow,
  listVersions,
  listWorkflows,
  lockWorkflows,
  makeDefault,
} from '../store/workflow-admin.ts'
import { type ActingUser, actorOf } from './audit.ts'
import type { Operations } from './context.ts'

type Answer = z.input<typeof getWorkflow.response>
type Scope = { app_id: string; workflow_id: string }

export async function getWorkflowWithVersions(
  operations: Operations,
  scope: Scope,
  sql: Sql = operations.database,
): Promise<Answer> {
  const workflow = await findWorkflow(sql, scope.app_id, scope.workflow_id, operations.clock.now())
  if (!workflow) throw notFound('workflow')
  const versions = await listVersions(sql, workflow.id)
  return {
    ...workflow,
    versions: versions.map((row) => ({ ...row, created_at: toTimestamp(row.created_at) })),
  }
}

/** Changes one workflow and writes the audit entry, serialized per app. */
async function change(
  operations: Operations,
  request: Scope & { by: ActingUser },
  action: string,
  work: (tx: Sql, workflow: WorkflowListItem, now: Date) => Promise<Record<string, string | number>>,
): Promise<Answer> {
  const now = operations.clock.now()
  return operations.database.transaction(async (tx) => {
    await lockWorkflows(tx, request.app_id)
    const workflow = await findWorkflow(tx, request.app_id, request.workflow_id, now)
    if (!workflow) throw notFound('workflow')
    if (workflow.archived_at !== null) throw conflict('The workflow is archived.')
    const details = await work(tx, workflow, now)
    await recordWorkflowAudit(operations, tx, request, action, details)
    return getWorkflowWithVersions(operations, request, tx)
  })
}

async function recordWorkflowAudit(
  { outbox, clock }: Operations,
  tx: Sql,
  { app_id, workflow_id, by }: Scope & { by: ActingUser },
  action: string,
  details: Record<string, string | number>,
): Promise<void> {
  await outbox.append(
    tx,
    auditRecorded,
    {
      app_id,
      at: toTimestamp(clock.now()),
      actor: actorOf(by),
      action,
      target: workflow_id,
      ip: by.ip,
      details,
    },
    { orderingKey: workflow_id },
  )
}

/** Creates version 1. The app's first live workflow always becomes the default. */
export async function createWorkflowFor(
  operations: Operations,
  request: z.output<typeof createWorkflowByUser.request>,
): Promise<Answer> {
  const { app_id, by, name, config } = request
  const id = newId('workflow')
  const at = operations.clock.now()
  return operations.database.transaction(async (tx) => {
    await lockWorkflows(tx, app_id)
    const live = (await listWorkflows(tx, app_id, at)).filter((row) => row.archived_at === null)
    await insertWorkflowRow(tx, { id, app_id, name, at })
    await insertVersion(tx, id, { version: 1, name, config, created_by: by.user_id, at })
    if (request.is_default || live.length === 0) await makeDefault(tx, app_id, id, at)
    const scope = { app_id, workflow_id: id }
    await recordWorkflowAudit(operations, tx, { ...scope, by }, 'workflow.created', { version: 1 })
    return getWorkflowWithVersions(operations, scope, tx)
  })
}

/**
 * Saves a new version; running sessions continue with theirs. Editing an outdated version is a conflict that names
 * the current one.
 */
export const saveWorkflow = (operations: Operations, request: z.output<typeof editWorkflow.request>) =>
  change(operations, request, 'workflow.edited', async (tx, workflow, at) => {
    if (workflow.version !== request.version) {
      throw conflict(`Version ${workflow.version} of this workflow was saved meanwhile.`)
    }
    const version = workflow.version + 1
    const { name, config } = request
    await insertVersion(tx, workflow.id, { version, name, config, created_by: request.by.user_id, at })
    return { version }
  })

type ByUser = z.output<typeof archiveWorkflow.request>

export const setDefault = (operations: Operations, request: ByUser) =>
  change(operations, request, 'workflow.made_default', async (tx, workflow, at) => {
    await makeDefault(tx, request.app_id, workflow.id, at)
    return { version: workflow.version }
  })

/** Workflows are never deleted, because sessions still run their versions. */
export const archiveOne = (operations: Operations, request: ByUser) =>
  change(operations, request, 'workflow.archived', async (tx, workflow, at) => {
    if (workflow.is_default)
      throw conflict('The default workflow cannot be archived; make another the default.')
    await archive(tx, request.app_id, workflow.id, at)
    return { version: workflow.version }
  })
