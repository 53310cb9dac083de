import type { CreatedSession } from '@kyc/common'
import pg from 'pg'
import { type Api, apiClient } from '../../support/api.ts'
import { startTestSystem } from '../../support/system.ts'
import { until } from '../../support/until.ts'

const one = Number(process.env.KYC_BENCH_PURGES ?? 100)
const byRetention = Number(process.env.KYC_BENCH_RETENTION ?? 1_000)

/** Purges through the whole system in one process: request to 204, request to certificate, and many by retention. */
export async function purgeLines(): Promise<string[]> {
  const system = await startTestSystem({ SANCTIONS_DIR: '', CLOCK_SECONDS: '1' })
  const client = new pg.Client({ connectionString: system.databaseUrl })
  await client.connect()
  await client.query('SET search_path TO session')
  try {
    const api = apiClient(system.url, system.app.api_key)
    return [await onePurge(api), await retention(api, client)]
  } finally {
    await client.end()
    await system.close()
  }
}

const create = async (api: Api) =>
  (await api.post<CreatedSession>('/v1/sessions', { metadata: { name: 'x'.repeat(200) } })).body.session_id

async function onePurge(api: Api): Promise<string> {
  const [answered, certified]: [number[], number[]] = [[], []]
  // Not measured, because connections, compiled code and the vault's folders are still cold.
  for (let n = -3; n < one; n++) {
    const path = `/v1/sessions/${await create(api)}`
    const start = performance.now()
    await api.delete(path)
    const answer = performance.now() - start
    await until(
      () => api.get(`${path}/purge-certificate`),
      (answer) => answer.status === 200,
    )
    if (n < 0) continue
    answered.push(answer)
    certified.push(performance.now() - start)
  }
  return `- Purge of one session, ${one} times: 204 after ${spread(answered)}; certificate of all 7 services after ${spread(certified)}.`
}

async function retention(api: Api, client: pg.Client): Promise<string> {
  for (let made = 0; made < byRetention; made += 50)
    await Promise.all(Array.from({ length: Math.min(50, byRetention - made) }, () => create(api)))
  const certificates = async () =>
    Number(
      (await client.query('SELECT count(*) AS count FROM purge WHERE completed_at IS NOT NULL')).rows[0]
        .count,
    )
  const before = await certificates()
  const start = performance.now()
  // Backdates the sessions to two years ago, so that the next run of retention purges them.
  await client.query(
    `UPDATE session SET status = 'expired', decision_reason = 'session_expired', due_at = NULL,
       completed_at = now() - interval '2 years' WHERE purged_at IS NULL`,
  )
  const megabytes: { share: number; rss: number }[] = []
  for (let done = 0; done < byRetention; ) {
    await new Promise((resume) => setTimeout(resume, 500))
    done = (await certificates()) - before
    megabytes.push({ share: done / byRetention, rss: process.memoryUsage().rss / 1e6 })
  }
  const seconds = (performance.now() - start) / 1000
  const from = (low: number, high: number) => {
    const part = megabytes.filter(({ share }) => share >= low && share <= high).map(({ rss }) => rss)
    return Math.round(part.reduce((sum, rss) => sum + rss, 0) / Math.max(1, part.length))
  }
  const rate = (byRetention / seconds).toFixed(0)
  return `- Retention of ${byRetention} sessions, each to its certificate: ${seconds.toFixed(0)} s (${rate}/s); memory of the whole process ${from(0, 0.25)} MB in the first quarter, ${from(0.75, 1)} MB in the last.`
}

function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
  return `${at(0.5)} ms (median), ${at(0.95)} ms (p95)`
}
