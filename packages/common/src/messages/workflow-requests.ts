import { z } from 'zod'
import { simulation, workflowListItem, workflowVersion } from '../domain/console-workflow.ts'
import { userId } from '../domain/ids.ts'
import { workflowConfig } from '../domain/workflow.ts'
import { defineRequest } from './define.ts'

/** The console's workflow requests to `session`. Another app's workflow is `not_found`. */
const app = z.object({ app_id: z.string().max(128) })
const scope = app.extend({ workflow_id: z.string().max(128) })
const by = z.object({ user_id: userId, ip: z.string().nullable() })
const name = z.string().min(1).max(120)

const withVersions = workflowListItem.extend({
  versions: z.array(workflowVersion.omit({ config: true })),
})

export const listAllWorkflows = defineRequest(
  'workflow.list',
  1,
  app,
  z.object({ data: z.array(workflowListItem) }),
)
export const getWorkflow = defineRequest('workflow.get', 1, scope, withVersions)

/** With the config of the previous version; null for the first. */
export const getWorkflowVersion = defineRequest(
  'workflow.version',
  1,
  scope.extend({ version: z.int().min(1) }),
  workflowVersion.extend({ previous_config: workflowConfig.nullable() }),
)
export const createWorkflowByUser = defineRequest(
  'workflow.create_by_user',
  1,
  app.extend({ by, name, is_default: z.boolean(), config: workflowConfig }),
  withVersions,
)
/** Compare-and-set on `version`; `conflict` names the version that was created in the meantime. */
export const editWorkflow = defineRequest(
  'workflow.edit',
  1,
  scope.extend({ by, version: z.int().min(1), name, config: workflowConfig }),
  withVersions,
)
export const setDefaultWorkflow = defineRequest('workflow.set_default', 1, scope.extend({ by }), withVersions)
export const archiveWorkflow = defineRequest('workflow.archive', 1, scope.extend({ by }), withVersions)

/** Read-only; the console writes the audit entry. */
export const simulateWorkflow = defineRequest(
  'workflow.simulate',
  1,
  scope.extend({ config: workflowConfig, sessions: z.int().min(1).max(1000) }),
  simulation,
  { deadline_ms: 30_000 },
)
