import { z } from 'zod'
import { analytics } from '../../domain/analytics.ts'
import { calendarDate } from '../../domain/timestamp.ts'
import { defineContract } from '../define.ts'
import { allowed, appParams, appPath, consoleEndpoint } from './parts.ts'

const dayMs = 86_400_000
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMs

/** `analytics` with the reviewers' names. */
export const consoleAnalytics = analytics.extend({
  reviewers: z.array(analytics.shape.reviewers.element.extend({ name: z.string().nullable() })),
})

export const consoleAnalyticsEndpoints = defineContract({
  getAnalytics: {
    ...consoleEndpoint,
    tag: 'Analytics',
    method: 'get',
    path: `${appPath}/analytics`,
    access: allowed('analytics.read'),
    summary: 'Funnel, conversion, times, decisions, reasons and warnings, by day (UTC) and workflow',
    params: appParams,
    query: z
      .strictObject({
        from: calendarDate,
        to: calendarDate,
        workflow_id: z.string().max(128).optional(),
      })
      .refine(({ from, to }) => daysBetween(from, to) >= 0 && daysBetween(from, to) < 400, {
        path: ['to'],
        error: 'must be from the same day to 400 days after from',
      }),
    success: { status: 200, body: consoleAnalytics },
    errors: ['bad_request', 'not_found'],
  },
})
