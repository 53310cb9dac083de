import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freePort } from '@kyc/runtime'
import { apiClient } from './support/api.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'
import { until } from './support/until.ts'

describe('the metrics of all services in one process', () => {
  let system: TestSystem
  let metricsUrl: string
  beforeAll(async () => {
    const port = await freePort()
    metricsUrl = `http://127.0.0.1:${port}`
    system = await startTestSystem({ METRICS_PORT: String(port) })
  })
  afterAll(() => system.close())

  const metrics = async () => (await fetch(`${metricsUrl}/metrics`)).text()

  test('cover the bus with the same metrics as with RabbitMQ, and the process', async () => {
    const api = apiClient(system.url, system.app.api_key)
    const { body } = await api.post<{ session_id: string }>('/v1/sessions', {
      metadata: { test_scenario: 'approved' },
    })
    await api.post(`/v1/test/sessions/${body.session_id}/advance`, { to: 'processing' })
    const telling = /^(bus_handle_seconds_count|session_transitions_total)\{/
    await until(
      async () => (await metrics()).split('\n').filter((line) => telling.test(line)),
      (lines) =>
        lines.some((line) => line.includes('queue="session.check.completed"')) &&
        lines.some((line) => line.includes('status="approved"')),
      120_000,
    )
    const text = await metrics()
    expect(text).toMatch(
      /^bus_published_total\{[^}]*event="session\.submitted"[^}]*outcome="sent"[^}]*\} [1-9]\d*$/m,
    )
    expect(text).toMatch(/^bus_message_age_seconds_count\{[^}]*queue="session\.check\.completed"/m)
    expect(text).toMatch(/^process_resident_memory_bytes\{[^}]*service="standalone"[^}]*\} \d+/m)
    expect(text).toMatch(/^outbox_pending\{service="session"\} \d/m)
  })

  test('describe every metric once, and readiness is on the same port', async () => {
    const described = [...(await metrics()).matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
    expect(described.length).toBeGreaterThan(30)
    expect(described.filter((name, index) => described.indexOf(name) !== index)).toEqual([])
    expect((await fetch(`${metricsUrl}/ready`)).status).toBe(200)
  })
})
