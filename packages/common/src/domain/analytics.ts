import { z } from 'zod'
import { calendarDate } from './timestamp.ts'

/** Durations in seconds over many sessions; the median is estimated from buckets that are 10% wide. */
export const durationStats = z.object({
  count: z.int().min(0),
  mean_seconds: z.number().min(0).nullable(),
  median_seconds: z.number().min(0).nullable(),
})

const counted = z.array(z.object({ code: z.string(), count: z.int().min(0) }))

/** Totals over the days from `from` to `to` (inclusive, UTC). */
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
    /** Submitted sessions as a share of the started ones, 0 to 1; null when none was started. */
    conversion: z.number().nullable(),
    /** Approved sessions as a share of approved and declined ones. */
    approval_rate: z.number().nullable(),
    /** Share of started sessions in which the page reported a denied camera. */
    camera_denied_rate: z.number().nullable(),
  }),
  /** How many of the sessions created in these days reached each step. */
  funnel: z.array(z.object({ step: z.string(), sessions: z.int() })),
  step_times: z.array(z.object({ step: z.string() }).extend(durationStats.shape)),
  /** From start to submission, and from submission to the engine's decision. */
  flow_time: durationStats,
  processing_time: durationStats,
  /** From entering review to the reviewer's decision: over all reviewers, and per reviewer. */
  review_time: durationStats,
  reviewers: z.array(z.object({ user_id: z.string() }).extend(durationStats.shape)),
  /** The reasons of the decisions by the engine and by reviewers, grouped by the status of the decision. */
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
