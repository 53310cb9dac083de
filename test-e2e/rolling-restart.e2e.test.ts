import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CreatedSession } from '@kyc/common'
import { rabbitmqIsInstalled } from '@kyc/testing'
import { apiClient } from './support/api.ts'
import { type Deployment, deployedServices, startDeployment } from './support/deployment.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'

const installed = rabbitmqIsInstalled()
if (!installed) process.stdout.write('skipped: rolling restart (rabbitmq-server is not installed)\n')

const clients = 6

;(installed ? describe : describe.skip)('every service restarted one after the other, under load', () => {
  let deployment: Deployment
  let receiver: Receiver
  let key: string
  beforeAll(async () => {
    ;[deployment, receiver] = await Promise.all([startDeployment(), startReceiver()])
    const app = await deployment.createApp(receiver.url)
    receiver.useSecret(app.webhook_secret)
    key = app.api_key
  }, 240_000)
  afterAll(async () => {
    await deployment?.stop()
    await receiver?.close()
  }, 60_000)

  test('no request fails, every process shuts down cleanly, and every session is decided and its webhook delivered', async () => {
    const api = apiClient(deployment.baseUrl, key)
    const failures: string[] = []
    const sessions: string[] = []
    let requests = 0
    let rolling = true
    const ask = async (method: string, path: string, body: unknown, wanted: number) => {
      requests++
      try {
        const answer = await api.call<Record<string, unknown>>(method, path, body)
        if (answer.status === wanted) return answer.body
        failures.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      } catch (error) {
        failures.push(`${method} ${path}: ${String((error as { cause?: unknown }).cause ?? error)}`)
      }
      return null
    }
    const client = async () => {
      while (rolling) {
        const created = (await ask(
          'POST',
          '/v1/sessions',
          { metadata: { test_scenario: 'approved' } },
          201,
        )) as CreatedSession | null
        if (!created) continue
        sessions.push(created.session_id)
        await ask('GET', `/v1/sessions/${created.session_id}`, undefined, 200)
        await ask('GET', `/flow/${created.session_token}/state`, undefined, 200)
        await ask('POST', `/v1/test/sessions/${created.session_id}/advance`, { to: 'approved' }, 200)
        await ask('POST', '/v1/checks/pan', { pan: 'ABCPE1234F' }, 200)
        await ask('POST', '/v1/checks/aml', { full_name: 'Erika Beispiel' }, 200)
        await ask('GET', '/v1/webhook-deliveries', undefined, 200)
      }
    }
    const load = Promise.all(Array.from({ length: clients }, client))
    const codes = await Promise.all(
      deployedServices.map(async (service) => [service, await deployment.roll(service)] as const),
    ).finally(() => {
      rolling = false
    })
    await load

    expect(failures).toEqual([])
    expect(codes).toEqual(deployedServices.map((service) => [service, [0]]))
    expect(requests).toBeGreaterThan(100)
    for (const session of sessions) {
      await receiver.until(({ data }) => data.session_id === session && data.status === 'approved', 90_000)
    }
    expect(receiver.refused()).toBe(0)
    process.stdout.write(`rolling restart: ${requests} requests, ${sessions.length} sessions, none failed\n`)
  }, 280_000)

  test('every process shuts down cleanly while RabbitMQ is unavailable', async () => {
    const replicas = deployedServices.flatMap((service) =>
      deployment.replicasOf(service).map((replica) => [service, replica] as const),
    )
    await deployment.broker.stop()
    // Every process has pending work for the unavailable broker, and none of it may delay the shutdown.
    for (const [, { process }] of replicas) {
      await until(
        async () => process.output(),
        (log) => log.includes('"job":"queue depth"'),
        60_000,
      )
    }
    const codes = await Promise.all(
      replicas.map(
        async ([service, replica]) => [service, await deployment.remove(service, replica)] as const,
      ),
    )
    expect(codes).toEqual(replicas.map(([service]) => [service, 0]))
  }, 150_000)
})
