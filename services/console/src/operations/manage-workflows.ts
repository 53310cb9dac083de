import {
  type ConsoleWorkflow,
  compareConfigs,
  getWorkflow,
  getWorkflowVersion,
  type Simulation,
  simulateWorkflow,
  type WorkflowConfig,
} from '@kyc/common'
import type { z } from 'zod'
import { findUserNames } from '../store/user-names.ts'
import { type Actor, type Operations, record } from './context.ts'

type Scope = { app_id: string; workflow_id: string }
type Unnamed = z.output<typeof getWorkflow.response>

/** A workflow with the names of the authors of its versions. */
export async function nameVersions({ database }: Operations, workflow: Unnamed): Promise<ConsoleWorkflow> {
  const names = await findUserNames(
    database,
    workflow.versions.map((version) => version.created_by),
  )
  return {
    ...workflow,
    versions: workflow.versions.map((version) => ({
      ...version,
      created_by_name: version.created_by && (names.get(version.created_by) ?? null),
    })),
  }
}

/** One version and its changes from the previous one. */
export async function showVersion(operations: Operations, request: Scope & { version: number }) {
  const { previous_config, ...version } = await operations.bus.request(getWorkflowVersion, request)
  const names = await findUserNames(operations.database, [version.created_by])
  return {
    ...version,
    created_by_name: version.created_by && (names.get(version.created_by) ?? null),
    changes: previous_config ? compareConfigs(previous_config, version.config) : [],
  }
}

/** The changes that a config would make to the current version. */
export async function compareWithCurrent({ bus }: Operations, scope: Scope, config: WorkflowConfig) {
  const current = await bus.request(getWorkflow, scope)
  return { version: current.version, changes: compareConfigs(current.config, config) }
}

/** The decisions that a config would have made. The only effect is an audit entry. */
export async function simulate(
  operations: Operations,
  actor: Actor,
  scope: Scope,
  body: { config: WorkflowConfig; sessions: number },
): Promise<Simulation> {
  const simulation = await operations.bus.request(simulateWorkflow, { ...scope, ...body })
  const { sessions, changed, undetermined } = simulation
  await record(operations, actor, {
    app_id: scope.app_id,
    action: 'workflow.simulated',
    target: scope.workflow_id,
    details: { sessions, changed, undetermined },
  })
  return simulation
}
