import type { Analytics } from '@kyc/common'

/** A total over the time span: the number of occurrences and, for durations, their sum in seconds. */
export type Sum = { metric: string; key: string; bucket: number; count: number; sum: number }
/** The count of one metric on one day. */
export type DayCount = { day: string; metric: string; key: string; count: number }

type Duration = Analytics['flow_time']

const funnelOrder = ['created', 'started', 'consent', 'email', 'document', 'liveness', 'submitted', 'decided']
const stepPrefix = 'step:'
const reviewPrefix = 'review:'

/**
 * Builds the analytics of a span of days from its totals and its daily counts. `factor` is the growth factor of the
 * duration buckets.
 */
export function summarizeAnalytics(
  sums: readonly Sum[],
  days: readonly DayCount[],
  range: { from: string; to: string; workflow_id: string | null },
  factor: number,
): Analytics {
  const total = (metric: string, key: string) =>
    sums.reduce((sum, row) => (row.metric === metric && row.key === key ? sum + row.count : sum), 0)
  const keysOf = (metric: string) => [
    ...new Set(sums.filter((row) => row.metric === metric).map((row) => row.key)),
  ]
  const duration = (key: string) =>
    durationOf(
      sums.filter((row) => row.metric === 'seconds' && row.key === key),
      factor,
    )
  const counted = (metric: string) =>
    keysOf(metric)
      .map((code) => ({ code, count: total(metric, code) }))
      .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
  const status = (name: string) => total('status', name)
  const started = status('in_progress')
  const decided = status('approved') + status('declined')
  const secondsKeys = keysOf('seconds')
  return {
    ...range,
    totals: {
      created: total('created', ''),
      started,
      submitted: status('processing'),
      approved: status('approved'),
      declined: status('declined'),
      in_review: status('in_review'),
      expired: status('expired'),
      abandoned: status('abandoned'),
      conversion: ratio(total('funnel', 'submitted'), total('funnel', 'started')),
      approval_rate: ratio(status('approved'), decided),
      camera_denied_rate: ratio(total('page_event', 'camera_denied'), started),
    },
    funnel: funnelOrder
      .filter((step) => step !== 'email' || total('funnel', step) > 0)
      .map((step) => ({ step, sessions: total('funnel', step) })),
    step_times: secondsKeys
      .filter((key) => key.startsWith(stepPrefix))
      .map((key) => ({ step: key.slice(stepPrefix.length), ...duration(key) }))
      .sort((a, b) => funnelOrder.indexOf(a.step) - funnelOrder.indexOf(b.step)),
    flow_time: duration('flow'),
    processing_time: duration('processing'),
    review_time: duration('review'),
    reviewers: secondsKeys
      .filter((key) => key.startsWith(reviewPrefix))
      .map((key) => ({ user_id: key.slice(reviewPrefix.length), ...duration(key) }))
      .sort((a, b) => b.count - a.count),
    reasons: counted('reason').map(({ code, count }) => {
      const [name = '', reason = ''] = code.split(':')
      return { status: name, reason: reason === '' ? null : reason, count }
    }),
    warnings: counted('warning'),
    page_events: counted('page_event'),
    days: daysOf(range.from, range.to).map((day) =>
      dayOf(
        day,
        days.filter((row) => row.day === day),
      ),
    ),
  }
}

/** Capped at 1, because events of a session may fall on either side of the first day. */
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : Math.min(1, part / whole))

function durationOf(rows: readonly Sum[], factor: number): Duration {
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  if (count === 0) return { count: 0, mean_seconds: null, median_seconds: null }
  const mean = rows.reduce((sum, row) => sum + row.sum, 0) / count
  return { count, mean_seconds: round(mean), median_seconds: round(medianOf(rows, count, factor)) }
}

/** The midpoint of the bucket that contains the median. Durations under one second count as one second. */
function medianOf(rows: readonly Sum[], count: number, factor: number): number {
  let seen = 0
  for (const row of [...rows].sort((a, b) => a.bucket - b.bucket)) {
    seen += row.count
    if (seen * 2 >= count) return factor ** (row.bucket + 0.5)
  }
  return 0
}

const round = (seconds: number) => Math.round(seconds * 10) / 10

function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

function dayOf(day: string, counts: readonly DayCount[]): Analytics['days'][number] {
  const count = (metric: string, key: string) =>
    counts.find((row) => row.metric === metric && row.key === key)?.count ?? 0
  return {
    day,
    created: count('created', ''),
    submitted: count('status', 'processing'),
    approved: count('status', 'approved'),
    declined: count('status', 'declined'),
    in_review: count('status', 'in_review'),
  }
}
