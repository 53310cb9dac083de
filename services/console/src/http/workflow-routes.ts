import {
  archiveWorkflow,
  consoleAnalyticsEndpoints,
  consoleWorkflowEndpoints,
  createWorkflowByUser,
  editWorkflow,
  getAnalytics,
  getWorkflow,
  listAllWorkflows,
  setDefaultWorkflow,
} from '@kyc/common'
import { type ConsoleUserCaller, type MountOptions, mount } from '@kyc/http'
import type { Router } from 'express'
import { actorOf, type Operations } from '../operations/context.ts'
import { compareWithCurrent, nameVersions, showVersion, simulate } from '../operations/manage-workflows.ts'
import { findUserNames } from '../store/user-names.ts'

const by = (caller: ConsoleUserCaller) => ({ user_id: caller.user_id, ip: caller.address })

/** Workflows with their versions and simulation, and analytics. */
export function mountWorkflows(router: Router, operations: Operations, options: MountOptions): void {
  const { bus, database } = operations
  mount(
    router,
    consoleWorkflowEndpoints,
    {
      listConsoleWorkflows: ({ params }) => bus.request(listAllWorkflows, params),
      createConsoleWorkflow: async ({ params, body }, { caller }) =>
        nameVersions(
          operations,
          await bus.request(createWorkflowByUser, { ...params, ...body, by: by(caller) }),
        ),
      getConsoleWorkflow: async ({ params }) =>
        nameVersions(operations, await bus.request(getWorkflow, params)),
      getWorkflowVersion: ({ params }) => showVersion(operations, params),
      diffWorkflow: ({ params, body }) => compareWithCurrent(operations, params, body.config),
      editWorkflow: async ({ params, body }, { caller }) =>
        nameVersions(operations, await bus.request(editWorkflow, { ...params, ...body, by: by(caller) })),
      setDefaultWorkflow: async ({ params }, { caller }) =>
        nameVersions(operations, await bus.request(setDefaultWorkflow, { ...params, by: by(caller) })),
      archiveWorkflow: async ({ params }, { caller }) =>
        nameVersions(operations, await bus.request(archiveWorkflow, { ...params, by: by(caller) })),
      simulateWorkflow: ({ params, body }, { caller }) => simulate(operations, actorOf(caller), params, body),
    },
    options,
  )
  mount(
    router,
    consoleAnalyticsEndpoints,
    {
      getAnalytics: async ({ params, query }) => {
        const { from, to, workflow_id = null } = query
        const sums = await bus.request(getAnalytics, { app_id: params.app_id, from, to, workflow_id })
        const names = await findUserNames(
          database,
          sums.reviewers.map((item) => item.user_id),
        )
        const reviewers = sums.reviewers.map((item) => ({ ...item, name: names.get(item.user_id) ?? null }))
        return { ...sums, reviewers }
      },
    },
    options,
  )
}
