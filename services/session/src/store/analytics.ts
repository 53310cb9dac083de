import type { Sql } from '@kyc/runtime'

/** Growth factor of duration buckets: each starts a tenth above the previous one. */
export const bucketFactor = 1.1

/**
 * Rolls the next `limit` events into the totals, in one statement and exactly once across replicas. Returns the
 * number of events.
 *
 * A funnel counts sessions by the day they were created, so that a later step never has more than an earlier one;
 * everything else counts by the day it happened.
 */
export async function countEvents(sql: Sql, limit: number): Promise<number> {
  // Most reads find no new events, and this query is much cheaper than the statement below.
  const { rows: news } = await sql.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM session_event WHERE NOT counted) AS any',
  )
  if (!news[0]?.any) return 0
  const { rows } = await sql.query<{ taken: number }>(
    `WITH taken AS (
       UPDATE session_event SET counted = true
       WHERE id IN (SELECT id FROM session_event WHERE NOT counted ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING app_id, workflow_id, kind, actor_type, actor_id, details, cohort,
         (at AT TIME ZONE 'UTC')::date AS day, (details->>'seconds')::double precision AS seconds,
         details->>'from' AS was, details->>'to' AS became, details->>'name' AS name
     ), facts AS (
       SELECT app_id, workflow_id, fact.* FROM taken, LATERAL (VALUES
         (cohort, 'funnel', CASE
            WHEN kind = 'created' THEN 'created'
            WHEN was = 'not_started' AND became = 'in_progress' THEN 'started'
            WHEN kind = 'step_completed' AND details->>'round' = '1' AND details->>'first' = 'true' THEN name
            WHEN became = 'processing' AND details->>'round' = '1' THEN 'submitted'
            WHEN was = 'processing' AND details->>'round' = '1' THEN 'decided' END, NULL::double precision),
         (day, 'created', CASE WHEN kind = 'created' THEN '' END, NULL),
         (day, 'status', CASE WHEN kind = 'status_changed' AND NOT (was = 'in_review' AND became = 'in_progress')
            THEN became END, NULL),
         (day, 'reason', CASE WHEN kind = 'status_changed' AND became <> 'in_progress' AND became <> 'processing'
            THEN became || ':' || coalesce(details->>'reason', '') END, NULL),
         (day, 'page_event', CASE WHEN kind = 'page_event' AND details->>'first' = 'true' THEN name END, NULL),
         (day, 'seconds', CASE WHEN kind = 'step_completed' THEN 'step:' || name END, seconds),
         (day, 'seconds', CASE WHEN was = 'in_progress' AND became = 'processing' THEN 'flow' END, seconds),
         (day, 'seconds', CASE WHEN was = 'processing' THEN 'processing' END, seconds),
         (day, 'seconds', CASE WHEN was = 'in_review' AND actor_type IN ('user', 'api_key') AND became <> 'expired'
            THEN 'review' END, seconds),
         (day, 'seconds', CASE WHEN was = 'in_review' AND actor_type = 'user' AND became <> 'expired'
            THEN 'review:' || actor_id END, seconds)
       ) AS fact (day, metric, key, seconds)
       WHERE fact.key IS NOT NULL AND (fact.metric <> 'seconds' OR fact.seconds IS NOT NULL)
       UNION ALL
       SELECT app_id, workflow_id, day, 'warning', code, NULL
       FROM taken, unnest(string_to_array(nullif(details->>'warnings', ''), ',')) AS codes (code)
     ), sums AS (
       INSERT INTO analytics_day AS known (app_id, day, workflow_id, metric, key, bucket, count, sum)
       SELECT app_id, day, workflow_id, metric, key,
         coalesce(floor(ln(greatest(seconds, 1)) / ln(${bucketFactor}::double precision)), 0)::smallint AS bucket,
         count(*), coalesce(sum(seconds), 0)
       FROM facts GROUP BY 1, 2, 3, 4, 5, 6
       -- In one order, so that two replicas never wait for each other in a circle.
       ORDER BY 1, 2, 3, 4, 5, 6
       ON CONFLICT (app_id, day, workflow_id, metric, key, bucket)
       DO UPDATE SET count = known.count + excluded.count, sum = known.sum + excluded.sum
       RETURNING 1)
     SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*) FROM sums) AS written`,
    [limit],
  )
  return rows[0]?.taken ?? 0
}

export type SumRow = { metric: string; key: string; bucket: number; count: number; sum: number }
export type DayRow = { day: string; metric: string; key: string; count: number }

const span = 'app_id = $1 AND day BETWEEN $2::date AND $3::date AND ($4::text IS NULL OR workflow_id = $4)'

/** Totals over the whole span and daily counts, for one workflow or (null) for the whole app. */
export async function readSums(
  sql: Sql,
  appId: string,
  range: { from: string; to: string },
  workflowId: string | null,
): Promise<{ sums: SumRow[]; days: DayRow[] }> {
  const values = [appId, range.from, range.to, workflowId]
  const [sums, days] = await Promise.all([
    sql.query<SumRow>(
      `SELECT metric, key, bucket, sum(count)::double precision AS count, sum(sum) AS sum
       FROM analytics_day WHERE ${span} GROUP BY metric, key, bucket`,
      values,
    ),
    sql.query<DayRow>(
      `SELECT day::text, metric, key, sum(count)::double precision AS count
       FROM analytics_day WHERE ${span} AND metric IN ('created', 'status') GROUP BY day, metric, key`,
      values,
    ),
  ])
  return { sums: sums.rows, days: days.rows }
}
