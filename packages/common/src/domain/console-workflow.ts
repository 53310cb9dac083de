import { z } from 'zod'
import { sessionId, userId } from './ids.ts'
import { decisionReason, sessionStatus } from './session-state.ts'
import { timestamp } from './timestamp.ts'
import { workflow, workflowConfig } from './workflow.ts'

/** A workflow as the console lists it, including archived ones. */
export const workflowListItem = workflow.extend({
  archived_at: timestamp.nullable(),
  sessions_30_days: z.int().min(0),
})
export type WorkflowListItem = z.output<typeof workflowListItem>

export const workflowVersion = z.object({
  version: z.int().min(1),
  created_at: timestamp,
  /** Null for a version that was not created by a console user. */
  created_by: userId.nullable(),
  config: workflowConfig,
})
export type WorkflowVersion = z.output<typeof workflowVersion>

/** One field in which two configs differ; `path` has the form `steps.liveness.pass`. */
export const configChange = z.object({ path: z.string(), before: z.unknown(), after: z.unknown() })
export type ConfigChange = z.infer<typeof configChange>

export const simulatedOutcome = z.object({
  status: sessionStatus,
  decision_reason: decisionReason.nullable(),
})

/**
 * What a changed config would have decided on past sessions, based on the findings of their checks. `undetermined`
 * means that the config needs something that was not computed then (a disabled step, or a lower minimum name score).
 */
export const simulation = z.object({
  sessions: z.int().min(0),
  changed: z.int().min(0),
  unchanged: z.int().min(0),
  undetermined: z.int().min(0),
  before: z.record(z.string(), z.int()),
  after: z.record(z.string(), z.int()),
  /** Changed and undetermined sessions, newest first, at most 200. */
  differences: z.array(
    z.object({
      session_id: sessionId,
      decided_at: timestamp,
      before: simulatedOutcome,
      /** Null when `undetermined`. */
      after: simulatedOutcome.nullable(),
      /** Checks whose status would differ, or whose outcome cannot be determined. */
      checks: z.array(z.object({ kind: z.string(), before: z.string(), after: z.string().nullable() })),
    }),
  ),
})
export type Simulation = z.infer<typeof simulation>
