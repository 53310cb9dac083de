import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { apiClient } from './support/api.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'

/** Run by `infra/compose/verify.mjs --faults`: kills containers under load, on the system that it has started. */
const {
  KYC_COMPOSE_PROJECT: project = '',
  KYC_SYSTEM_URL: url = '',
  KYC_SYSTEM_API_KEY: key = '',
  KYC_SYSTEM_WEBHOOK_SECRET: secret = '',
  KYC_SYSTEM_WEBHOOK_PORT: port = '0',
} = process.env
if (project === '')
  process.stdout.write('skipped: containers killed under load (run infra/compose/verify.mjs --faults)\n')

const victims = [
  'session',
  'checks',
  'face-biometrics',
  'sanctions-screening',
  'webhook-dispatcher',
  'flow',
  'gateway',
  'redis',
  'storage',
  'rabbitmq',
  'postgres',
]
const patienceMs = 120_000

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' }).trim()
const containerOf = (service: string): string =>
  docker(
    'ps',
    '--quiet',
    '--filter',
    `label=com.docker.compose.project=${project}`,
    '--filter',
    `label=com.docker.compose.service=${service}`,
  )

;(project === '' ? describe.skip : describe)('containers killed and started again, under load', () => {
  const api = apiClient(url, key)
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver({ host: '0.0.0.0', port: Number(port) })
    receiver.useSecret(secret)
  })
  afterAll(() => receiver.close())

  /** Like a backend that retries: until the status is one of `wanted`. */
  async function insist(path: string, body: object, wanted: number[], headers = {}) {
    const deadline = Date.now() + patienceMs
    for (;;) {
      const answer = await api
        .call<{ session_id?: string }>('POST', path, body, headers)
        .catch(() => ({ status: 0, body: {} as { session_id?: string } }))
      if (wanted.includes(answer.status)) return answer.body
      if (Date.now() > deadline) throw new Error(`${path} stayed ${answer.status}`)
      await delay(250)
    }
  }

  test('nothing acknowledged is lost: every session is decided, and its webhook is delivered', async () => {
    const sessions: string[] = []
    let striking = true
    const client = async () => {
      while (striking) {
        const { session_id = '' } = await insist(
          '/v1/sessions',
          { metadata: { test_scenario: 'approved' } },
          [201],
          { 'idempotency-key': randomUUID() },
        )
        // 409: a response was lost, and the session had moved on.
        await insist(`/v1/test/sessions/${session_id}/advance`, { to: 'processing' }, [200, 409])
        sessions.push(session_id)
      }
    }
    const load = Promise.all([client(), client(), client()])
    for (const victim of victims) {
      const container = containerOf(victim)
      docker('kill', '--signal', 'KILL', container)
      await delay(1_000)
      docker('start', container)
      await delay(4_000)
    }
    striking = false
    await load
    expect(sessions.length).toBeGreaterThan(victims.length)
    for (const session of sessions) {
      const { data } = await receiver.until(
        (item) => item.data.session_id === session && ['approved', 'in_review'].includes(item.data.status),
        180_000,
      )
      expect(data.previous_status).toBe('processing')
    }
    // Delivered once or, after a lost confirmation, redelivered under the same delivery id: never two decisions.
    for (const session of sessions) {
      const told = receiver.received.filter(
        ({ data }) => data.session_id === session && ['approved', 'in_review'].includes(data.status),
      )
      expect(new Set(told.map(({ delivery_id }) => delivery_id)).size).toBe(1)
    }
    process.stdout.write(`${victims.length} containers killed, ${sessions.length} sessions, none lost\n`)
  }, 900_000)
})
