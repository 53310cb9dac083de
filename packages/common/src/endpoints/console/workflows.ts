import { z } from 'zod'
import { configChange, simulation, workflowListItem, workflowVersion } from '../../domain/console-workflow.ts'
import { pathId } from '../../domain/ids.ts'
import { submittedWorkflowConfig } from '../../domain/workflow.ts'
import { defineContract } from '../define.ts'
import { singleLine } from '../parts.ts'
import { allowed, appParams, appPath, consoleEndpoint } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Workflows' } as const
const params = appParams.extend({ workflow_id: pathId })
const workflowPath = `${appPath}/workflows/:workflow_id`
const versionNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a version number')
  .transform(Number)
/** Enough for consent texts in many languages. */
const maxConfigBytes = 1024 * 1024

/** A workflow with all its versions, newest first. */
export const consoleWorkflow = workflowListItem.extend({
  versions: z.array(
    workflowVersion.omit({ config: true }).extend({ created_by_name: z.string().nullable() }),
  ),
})
export type ConsoleWorkflow = z.output<typeof consoleWorkflow>

export const consoleWorkflowEndpoints = defineContract({
  listConsoleWorkflows: {
    ...common,
    method: 'get',
    path: `${appPath}/workflows`,
    access: allowed('workflow.read'),
    summary: 'Workflows, the default first; archived ones last',
    params: appParams,
    success: { status: 200, body: z.object({ data: z.array(workflowListItem) }) },
    errors: ['not_found'],
  },
  createConsoleWorkflow: {
    ...common,
    method: 'post',
    path: `${appPath}/workflows`,
    access: allowed('workflow.write'),
    summary: 'A new workflow, version 1',
    params: appParams,
    body: z.strictObject({
      name: singleLine(120),
      is_default: z.boolean().default(false),
      config: submittedWorkflowConfig,
    }),
    success: { status: 201, body: consoleWorkflow },
    errors: ['bad_request', 'not_found'],
    max_body_bytes: maxConfigBytes,
  },
  getConsoleWorkflow: {
    ...common,
    method: 'get',
    path: workflowPath,
    access: allowed('workflow.read'),
    summary: 'A workflow and its versions',
    params,
    success: { status: 200, body: consoleWorkflow },
    errors: ['not_found'],
  },
  getWorkflowVersion: {
    ...common,
    method: 'get',
    path: `${workflowPath}/versions/:version`,
    access: allowed('workflow.read'),
    summary: 'One version and how it differs from the one before',
    params: params.extend({ version: versionNumber }),
    success: {
      status: 200,
      body: workflowVersion.extend({
        created_by_name: z.string().nullable(),
        /** Compared with the previous version; empty for the first. */
        changes: z.array(configChange),
      }),
    },
    errors: ['bad_request', 'not_found'],
  },
  diffWorkflow: {
    ...common,
    method: 'post',
    path: `${workflowPath}/diff`,
    access: allowed('workflow.read'),
    summary: 'How a config differs from the current version, before it is saved',
    params,
    body: z.strictObject({ config: submittedWorkflowConfig }),
    success: { status: 200, body: z.object({ version: z.int(), changes: z.array(configChange) }) },
    errors: ['bad_request', 'not_found'],
    max_body_bytes: maxConfigBytes,
  },
  editWorkflow: {
    ...common,
    method: 'put',
    path: workflowPath,
    access: allowed('workflow.write'),
    summary: 'Save a new version; sessions under way keep theirs. 409 when another version came meanwhile',
    params,
    body: z.strictObject({
      name: singleLine(120),
      config: submittedWorkflowConfig,
      /** The version on which the edit is based. */
      version: z.int().min(1),
    }),
    success: { status: 200, body: consoleWorkflow },
    errors: ['bad_request', 'not_found', 'conflict'],
    max_body_bytes: maxConfigBytes,
  },
  setDefaultWorkflow: {
    ...common,
    method: 'post',
    path: `${workflowPath}/default`,
    access: allowed('workflow.write'),
    summary: 'Make it the one that sessions without a named workflow run',
    params,
    success: { status: 200, body: consoleWorkflow },
    errors: ['not_found', 'conflict'],
  },
  archiveWorkflow: {
    ...common,
    method: 'post',
    path: `${workflowPath}/archive`,
    access: allowed('workflow.write'),
    summary: 'No new session may run it; the default cannot be archived',
    params,
    success: { status: 200, body: consoleWorkflow },
    errors: ['not_found', 'conflict'],
  },
  simulateWorkflow: {
    ...common,
    method: 'post',
    path: `${workflowPath}/simulate`,
    access: allowed('workflow.simulate'),
    summary: 'What a changed config would have decided on past sessions; changes nothing',
    params,
    body: z.strictObject({
      config: submittedWorkflowConfig,
      /** How many of the latest decided sessions of this workflow to simulate. */
      sessions: z.int().min(1).max(1000).default(200),
    }),
    success: { status: 200, body: simulation },
    errors: ['bad_request', 'not_found'],
    max_body_bytes: maxConfigBytes,
  },
})
