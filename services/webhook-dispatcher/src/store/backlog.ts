import type { Sql } from '@kyc/runtime'

export type Backlog = { pending: number; due: number; oldestDueSeconds: number }

/** The number of pending deliveries, how many of them are due, and how long the oldest has been due. */
export async function readBacklog(database: Sql, now: Date): Promise<Backlog> {
  const { rows } = await database.query<{ pending: number; due: number; oldest: Date | null }>(
    `SELECT count(*)::int AS pending, (count(*) FILTER (WHERE next_attempt_at <= $1))::int AS due,
            min(next_attempt_at) AS oldest
     FROM delivery WHERE status = 'pending'`,
    [now.toISOString()],
  )
  const { pending, due, oldest } = rows[0] ?? { pending: 0, due: 0, oldest: null }
  const oldestDueSeconds = oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000)
  return { pending, due, oldestDueSeconds }
}
