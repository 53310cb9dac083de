import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Decision, emptyIdentity, provisionWebhook, sealContexts } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { type ServiceHarness, TestClock } from '@kyc/testing'

export class RunningClock extends TestClock {
  override now(): Date {
    return new Date()
  }
}

/** What the receiver process reports: its number of requests, and when those of named sessions arrived. */
export type Report = { count: number; arrivals: [session: string, at: number][] }
export type Receiver = { url: string; report(): Promise<Report>; stop(): void }

export async function startReceiver(): Promise<Receiver> {
  const child: ChildProcess = fork(fileURLToPath(new URL('../webhook-receiver.mjs', import.meta.url)))
  const [port] = (await once(child, 'message')) as [number]
  return {
    url: `http://127.0.0.1:${port}`,
    async report() {
      child.send('report')
      const [report] = (await once(child, 'message')) as [Report]
      return report
    },
    stop: () => void child.kill(),
  }
}

/** CPU milliseconds that this process spends on each of `count` deliveries; independent of other load. */
export async function cpuPer<T>(
  count: (result: T) => number,
  work: () => Promise<T>,
): Promise<{ result: T; cpuMs: number }> {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, cpuMs: (user + system) / 1000 / count(result) }
}

export const delay = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
export const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MB`
export const percentile = (sorted: number[], share: number) =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

export const decisionOf = (session_id: string): Decision => ({
  session_id,
  status: 'approved',
  decision_reason: null,
  workflow_id: newId('workflow'),
  vendor_data: 'order-7',
  metadata: {},
  identity: { ...emptyIdentity, full_name: 'Zoë 北京' },
  checks: (['document', 'liveness', 'face_match', 'aml', 'duplicate', 'ip'] as const).map((kind) => ({
    kind,
    status: 'passed',
    score: 0.98,
    data: { note: 'x'.repeat(120) },
    warnings: [],
    attempts: 1,
    started_at: '2026-03-01T11:30:00Z',
    completed_at: '2026-03-01T11:30:02Z',
    engine: { name: kind, version: '1' },
  })),
  review: null,
  created_at: '2026-03-01T11:00:00Z',
  submitted_at: '2026-03-01T11:30:00Z',
  completed_at: '2026-03-01T11:30:03Z',
  expires_at: '2026-03-08T11:00:00Z',
})

export async function provision(harness: ServiceHarness, url: string): Promise<string> {
  const app_id = newId('app')
  await harness.bus.request(provisionWebhook, { app_id, environment: 'test', url })
  return app_id
}

/** An app with sealed decisions of a hundred sessions. */
export type BenchApp = { app_id: string; sealed: [session_id: string, decision: Buffer][] }

export async function createApp(harness: ServiceHarness, url: string): Promise<BenchApp> {
  const app_id = await provision(harness, url)
  const sealed: BenchApp['sealed'] = []
  for (let i = 0; i < 100; i++) {
    const session_id = newId('session')
    const decision = decisionOf(session_id)
    sealed.push([
      session_id,
      await harness.deps.vault.seal({ app_id, session_id }, sealContexts.decision, decision),
    ])
  }
  return { app_id, sealed }
}

/** Inserts three hundred pending deliveries of an app directly into the table, a third of them with a decision. */
export async function fill(harness: ServiceHarness, { app_id, sealed }: BenchApp, due: Date): Promise<void> {
  const events = sealed.flatMap(([session_id, decision]): [string, Buffer | null][] => [
    [session_id, decision],
    [newId('session'), null],
    [newId('session'), null],
  ])
  await harness.database.query(
    `INSERT INTO delivery (id, app_id, session_id, event, data, sealed_decision, created_at, status, next_attempt_at)
     SELECT delivery_id, $1, session_id, 'session.status_updated',
            json_build_object('session_id', session_id, 'status', 'approved', 'previous_status', 'processing',
                              'vendor_data', 'order-7', 'workflow_id', $6::text),
            sealed, $5, 'pending', $5
     FROM unnest($2::text[], $3::text[], $4::bytea[]) AS given (delivery_id, session_id, sealed)`,
    [
      app_id,
      events.map(() => newId('delivery')),
      events.map(([session_id]) => session_id),
      events.map(([, decision]) => decision),
      due.toISOString(),
      newId('workflow'),
    ],
  )
}

export const pendingOf = async (harness: ServiceHarness, appIds: string[]) => {
  const { rows } = await harness.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM delivery WHERE app_id = ANY ($1) AND status IN ('pending', 'delivering')`,
    [appIds],
  )
  return rows[0]?.count ?? 0
}

/** Seconds until the apps have no pending deliveries. */
export async function timeToEmpty(harness: ServiceHarness, appIds: string[]): Promise<number> {
  const started = performance.now()
  while ((await pendingOf(harness, appIds)) > 0) await delay(25)
  return (performance.now() - started) / 1000
}
