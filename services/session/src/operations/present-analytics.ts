import type { Analytics, getAnalytics } from '@kyc/common'
import type { z } from 'zod'
import { summarizeAnalytics } from '../domain/summarize-analytics.ts'
import { bucketFactor, countEvents, readSums } from '../store/analytics.ts'
import type { Operations } from './context.ts'

const batch = 5_000

/** Rolls new events into the daily totals until none are left. */
export async function countAnalytics({ database }: Operations): Promise<void> {
  while ((await countEvents(database, batch)) === batch);
}

/** Reads the totals only, after rolling in the most recent events. */
export async function presentAnalytics(
  operations: Operations,
  { app_id, from, to, workflow_id }: z.output<typeof getAnalytics.request>,
): Promise<Analytics> {
  await countEvents(operations.database, batch)
  const { sums, days } = await readSums(operations.database, app_id, { from, to }, workflow_id)
  return summarizeAnalytics(sums, days, { from, to, workflow_id }, bucketFactor)
}
