import { closeSync, openSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { type CreatedSession, errorEnvelope } from '@kyc/common'
import { freePort, randomText, silentLogger, startEmbeddedPostgres } from '@kyc/runtime'
import { readConfig, startSystem } from '@kyc/service-standalone'
import pg from 'pg'
import { apiClient } from './support/api.ts'
import { startProcess, untilUp } from './support/process.ts'
import { smallDisk } from './support/small-disk.ts'
import { temporaryFolder, testEnvironment } from './support/system.ts'
import { until } from './support/until.ts'

const databaseDisk = await smallDisk(180)
const logDisk = await smallDisk(1)
afterAll(async () => {
  await databaseDisk?.remove()
  await logDisk?.remove()
})

if (!databaseDisk || !logDisk) {
  process.stdout.write('skipped: full disks (a small one can be mounted by root on Linux only)\n')
  test.skip('SKIPPED: only root on Linux can mount a small disk', () => {})
} else {
  describe('the disk of PostgreSQL is full', () => {
    test('writes are rejected, nothing acknowledged is lost, and it recovers by itself when there is space again', async () => {
      const folder = await temporaryFolder()
      const database = await startEmbeddedPostgres({
        folder: databaseDisk.folder,
        logger: silentLogger,
        // So that the database log does not fill such a small disk.
        settings: { max_wal_size: '48MB', min_wal_size: '32MB' },
      })
      const environment = {
        ...(await testEnvironment(folder)),
        DATABASE_URL: database.url,
        SANCTIONS_DIR: '',
      }
      const system = await startSystem(readConfig(environment), { logger: silentLogger })
      try {
        const api = apiClient(system.url, system.app.api_key)
        const acknowledged: string[] = []
        const refusals: number[] = []
        /** A response in time: created, or rejected with the envelope. */
        const create = async () => {
          const started = performance.now()
          // Random, so that the database cannot compress it.
          const answer = await api.post<CreatedSession>('/v1/sessions', {
            metadata: { a: randomText(3_000) },
          })
          expect(performance.now() - started).toBeLessThan(30_000)
          if (answer.status === 201) acknowledged.push(answer.body.session_id)
          else {
            expect([500, 503]).toContain(answer.status)
            expect(errorEnvelope.strict().safeParse(answer.body).success).toBe(true)
            refusals.push(answer.status)
          }
        }
        for (let n = 0; n < 20; n++) await create()
        expect(refusals).toEqual([])

        databaseDisk.fill()
        for (let n = 0; n < 3_000 && refusals.length < 10; n++) await create()
        expect(refusals.length).toBeGreaterThanOrEqual(10)
        // Reads are served, or rejected in time while the database restarts.
        const read = await api.get(`/v1/sessions/${acknowledged[0]}`)
        expect([200, 500, 503]).toContain(read.status)

        databaseDisk.empty()
        const before = acknowledged.length
        await until(
          async () => {
            await create()
            return acknowledged.length
          },
          (count) => count > before,
          60_000,
        )
        for (const sessionId of acknowledged)
          expect([sessionId, (await api.get(`/v1/sessions/${sessionId}`)).status]).toEqual([sessionId, 200])
        await expectSound(database.url)
        process.stdout.write(
          `full disk of PostgreSQL: ${refusals.length} refused, ${acknowledged.length} acknowledged and kept\n`,
        )
      } finally {
        await system.stop()
        await database.stop()
        await rm(folder, { recursive: true, force: true })
      }
    }, 180_000)
  })

  describe('the disk of the log and of temporary files is full', () => {
    test('the service keeps serving; lines are dropped and counted, and written again when there is space', async () => {
      const folder = await temporaryFolder()
      const log = join(logDisk.folder, 'log')
      const descriptor = openSync(log, 'a')
      logDisk.fill()
      const metricsPort = await freePort()
      const environment: Record<string, string> = {
        ...(await testEnvironment(folder)),
        LOG_LEVEL: 'debug',
        TMPDIR: logDisk.folder,
        METRICS_PORT: String(metricsPort),
      }
      const running = startProcess('standalone', environment, descriptor)
      try {
        const url = `http://127.0.0.1:${environment.PORT}`
        await untilUp(`${url}/health`, running)
        const app = JSON.parse(readFileSync(join(folder, 'standalone.json'), 'utf8')) as { api_key: string }
        const api = apiClient(url, app.api_key)
        const created = await api.post<CreatedSession>('/v1/sessions', {})
        expect(created.status).toBe(201)
        expect((await api.delete(`/v1/sessions/${created.body.session_id}`)).status).toBe(204)
        const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
        expect(metrics).toMatch(/^log_lines_dropped_total\{service="session"\} [1-9]/m)
        expect(readFileSync(log, 'utf8')).toBe('')

        logDisk.empty()
        await api.post('/v1/sessions', {})
        const lines = await until(
          async () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
          (found) => found.length > 0,
        )
        for (const line of lines) expect(JSON.parse(line)).toHaveProperty('message')
        expect(running.child.exitCode).toBeNull()
      } finally {
        await running.kill()
        closeSync(descriptor)
        await rm(folder, { recursive: true, force: true })
      }
    }, 120_000)
  })
}

/** No partially written row or index, and every event published. */
async function expectSound(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const counted = async (withIndex: boolean) => {
      await client.query(`SET enable_seqscan = ${withIndex ? 'off' : 'on'}`)
      await client.query(`SET enable_indexscan = ${withIndex ? 'on' : 'off'}`)
      await client.query(`SET enable_indexonlyscan = ${withIndex ? 'on' : 'off'}`)
      await client.query(`SET enable_bitmapscan = off`)
      const { rows } = await client.query<{ ids: string }>(
        `SELECT md5(string_agg(session_id, ',' ORDER BY session_id)) AS ids FROM session.session WHERE session_id > ''`,
      )
      return rows[0]?.ids
    }
    expect(await counted(true)).toBe(await counted(false))
    await until(
      async () =>
        (
          await client.query<{ count: number }>(
            'SELECT count(*)::int AS count FROM session.outbox WHERE sent_at IS NULL',
          )
        ).rows[0]?.count,
      (count) => count === 0,
      120_000,
    )
  } finally {
    await client.end()
  }
}
