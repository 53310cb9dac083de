import { z } from 'zod'
import { documentType } from '../../domain/identity.ts'
import { decisionReason } from '../../domain/session-state.ts'
import { defineContract } from '../define.ts'
import { allowed, appParams, appPath, consoleEndpoint } from './parts.ts'
import { assigneeQuery, consoleSessionItem, cursorQuery, limitQuery } from './sessions.ts'

const common = { ...consoleEndpoint, tag: 'Queue' } as const

/** A session that waits for review. */
export const queueItem = consoleSessionItem.extend({
  document: z.object({ type: documentType.nullable(), country: z.string().nullable() }).nullable(),
  aml: z.object({ matches: z.int().min(0), unreviewed: z.int().min(0) }).nullable(),
})
export type QueueItem = z.infer<typeof queueItem>

const filter = {
  assignee: assigneeQuery,
  reason: decisionReason.optional(),
  workflow_id: z.string().max(128).optional(),
}

export const consoleQueueEndpoints = defineContract({
  listQueue: {
    ...common,
    method: 'get',
    path: `${appPath}/queue`,
    access: allowed('session.read'),
    summary: 'Sessions in review, the longest waiting first',
    params: appParams,
    query: z.strictObject({
      ...filter,
      waiting_over_minutes: z
        .string()
        .regex(/^\d{1,6}$/, 'must be a whole number')
        .transform(Number)
        .optional(),
      cursor: cursorQuery,
      limit: limitQuery,
    }),
    success: {
      status: 200,
      body: z.object({
        data: z.array(queueItem),
        next_cursor: z.string().nullable(),
        /** All sessions of the app in review, regardless of the filter. */
        waiting: z.int().min(0),
      }),
    },
    errors: ['bad_request', 'not_found'],
  },
  takeNext: {
    ...common,
    method: 'post',
    path: `${appPath}/queue/next`,
    access: allowed('session.assign'),
    summary: 'Hold the longest waiting session that nobody holds; two reviewers never get the same one',
    params: appParams,
    body: z.strictObject({ reason: filter.reason, workflow_id: filter.workflow_id }),
    success: { status: 200, body: z.object({ session_id: z.string().nullable() }) },
    errors: ['bad_request', 'not_found'],
  },
})
