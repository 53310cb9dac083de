import { z } from 'zod'
import { calendarDate } from './timestamp.ts'

/** Seconds over many sessions; the median is read from buckets a tenth wide. */
export const durationStats = z.object({
  count: z.int().min(0),
  mean_seconds: z.number().min(0).nullable(),
  median_seconds: z.number().min(0).nullable(),
})

const counted = z.array(z.object({ code: z.string(), count: z.int().min(0) }))

/** Sums over the days from `from` to `to`, both included, in UTC. */
export const analytics = z.object({
  from: calendarDate,
  to: calendarDate,
  workflow_id: z.string().nullable(),
  totals: z.object({
    created: z.int(),
    started: z.int(),
    submitted: z.int(),
    approved: z.int(),
    declined: z.int(),
    in_review: z.int(),
    expired: z.int(),
    abandoned: z.int(),
    /** Of the started ones submitted, 0 to 1; null without any. */
    conversion: z.number().nullable(),
    /** Approved of all approved and declined. */
    approval_rate: z.number().nullable(),
    /** Sessions whose page met a denied camera, of the started ones. */
    camera_denied_rate: z.number().nullable(),
  }),
  /** How many sessions created in these days came this far. */
  funnel: z.array(z.object({ step: z.string(), sessions: z.int() })),
  step_times: z.array(z.object({ step: z.string() }).extend(durationStats.shape)),
  /** From the start to submit, and from submit to the engine's decision. */
  flow_time: durationStats,
  processing_time: durationStats,
  /** From entering review to a person's decision: of all, and by reviewer. */
  review_time: durationStats,
  reviewers: z.array(z.object({ user_id: z.string() }).extend(durationStats.shape)),
  /** Why the engine or a person decided as it did, by the decision's status. */
  reasons: z.array(z.object({ status: z.string(), reason: z.string().nullable(), count: z.int() })),
  warnings: counted,
  page_events: counted,
  days: z.array(
    z.object({
      day: calendarDate,
      created: z.int(),
      submitted: z.int(),
      approved: z.int(),
      declined: z.int(),
      in_review: z.int(),
    }),
  ),
})
export type Analytics = z.infer<typeof analytics>
