import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from '@jest/globals'
import { rabbitmqIsInstalled } from '@kyc/testing'
import pg from 'pg'
import { redisIsInstalled, startRedis } from '../../services/gateway/test/redis.ts'
import { apiClient } from './api.ts'
import { type DeployedService, deployedServices, startDeployment } from './deployment.ts'
import { startReceiver } from './receiver.ts'
import { until } from './until.ts'

const prlimit = '/usr/bin/prlimit'
/** Requirements of a strained system besides RabbitMQ: Redis, and the command that limits a process's resources. */
export const canBeStrained = rabbitmqIsInstalled() && redisIsInstalled() && existsSync(prlimit)

/** Longer than a statement may take (20 s), as in production, where it is 30 s. */
export const upstreamTimeoutSeconds = 24
export const maxWaiting = 32

/**
 * Every service as a process, on a PostgreSQL with few connections and a gateway with low limits, to be driven to
 * exhaustion.
 */
export async function startStrainedSystem() {
  const redis = await startRedis()
  const receiver = await startReceiver()
  const deployment = await startDeployment({
    durable: { max_connections: '80' },
    environment: {
      gateway: {
        REDIS_URL: redis.url,
        UPSTREAM_TIMEOUT_SECONDS: String(upstreamTimeoutSeconds),
        UPSTREAM_MAX_WAITING: String(maxWaiting),
      },
      session: { CLOCK_SECONDS: '1' },
    },
  })
  const app = await deployment.createApp(receiver.url)
  receiver.useSecret(app.webhook_secret)
  const api = apiClient(deployment.baseUrl, app.api_key)
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  await database.connect()

  const processOf = (service: DeployedService) => {
    const [replica] = deployment.replicasOf(service)
    const pid = replica?.process.child.pid
    if (replica === undefined || pid === undefined) throw new Error(`${service} does not run`)
    return { ...replica, pid }
  }
  const timed = async (path: string, body?: unknown) => {
    const began = performance.now()
    const answer = await api.call<{ error?: { code: string; message: string } }>(
      body === undefined ? 'GET' : 'POST',
      path,
      body,
    )
    return { ...answer, ms: performance.now() - began }
  }

  return {
    ...{ redis, receiver, deployment, api, apiKey: app.api_key, database, processOf, timed },
    /** A session that waits for its decision. */
    async submit(): Promise<string> {
      const { status, body } = await api.post<{ session_id: string }>('/v1/sessions', {
        metadata: { test_scenario: 'approved' },
      })
      expect(status).toBe(201)
      const advanced = await api.post(`/v1/test/sessions/${body.session_id}/advance`, { to: 'processing' })
      expect(advanced.status).toBe(200)
      return body.session_id
    },
    decided: (sessionId: string) =>
      receiver.until(({ data }) => data.session_id === sessionId && data.status === 'approved', 90_000),
    untilItWorks: () =>
      until(
        () => timed('/v1/sessions', {}),
        ({ status }) => status === 201,
      ),
    /** Services whose process has exited. */
    gone: (): DeployedService[] =>
      deployedServices.filter((service) => {
        const { exitCode, signalCode } = processOf(service).process.child
        return exitCode !== null || signalCode !== null
      }),
    /** Limits the address space of a running process to this many bytes. */
    limitMemory: (service: DeployedService, bytes: number): void => {
      execFileSync(prlimit, ['--pid', String(processOf(service).pid), `--as=${bytes}:`])
    },
    /**
     * Limits how many handles a running process may open in addition to its current ones; the returned function
     * restores the limit.
     */
    async withHandles(service: DeployedService, spare: number, work: () => Promise<void>): Promise<void> {
      const { pid } = processOf(service)
      const before = /Max open files\s+(\d+)/.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1]
      // The limit applies to descriptor numbers: below it are those in use and this many free ones.
      const used = new Set(readdirSync(`/proc/${pid}/fd`).map(Number))
      let numbers = 0
      for (let free = 0; free < spare; numbers++) if (!used.has(numbers)) free++
      const limit = (handles: number) => execFileSync(prlimit, ['--pid', String(pid), `--nofile=${handles}:`])
      limit(numbers)
      try {
        await work()
      } finally {
        limit(Number(before))
      }
    },
    /** Delays every insert into the table of sessions by this long; 0 removes the delay. */
    async slowInserts(seconds: number): Promise<void> {
      await database.query('DROP TRIGGER IF EXISTS slow ON session.session')
      if (seconds === 0) return
      await database.query(
        `CREATE OR REPLACE FUNCTION session.sleep() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN PERFORM pg_sleep(${seconds}); RETURN NEW; END$$;
         CREATE TRIGGER slow BEFORE INSERT ON session.session FOR EACH ROW EXECUTE FUNCTION session.sleep()`,
      )
    },
    async stop(): Promise<void> {
      await database.end()
      await deployment.stop()
      await receiver.close()
      await redis.kill()
    },
  }
}
export type StrainedSystem = Awaited<ReturnType<typeof startStrainedSystem>>
