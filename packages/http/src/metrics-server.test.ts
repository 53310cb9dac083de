import { expect, test } from '@jest/globals'
import { createMetrics, silentLogger } from '@kyc/runtime'
import { startMetricsServer } from './metrics-server.ts'

test('merges the metrics of several services: every metric is described once, and no sample is lost', async () => {
  const all = ['session', 'flow'].map((service) => createMetrics(service))
  for (const metrics of all) {
    metrics.counter('things_total', 'Things # HELP fully counted', ['kind']).inc({ kind: 'a' }, 2)
    metrics.histogram('seconds', 'Time', [], [1]).observe(0.5)
  }
  all[1]?.gauge('alone', 'Of one service').set(7)
  const server = await startMetricsServer(all, async () => ({ ready: true, failing: [] }), {
    port: 0,
    host: '127.0.0.1',
    logger: silentLogger,
  })
  const text = await (await fetch(`${server.url}/metrics`)).text()
  await server.stop()
  for (const name of ['things_total', 'seconds', 'alone']) {
    expect(text.match(new RegExp(`^# HELP ${name} `, 'gm'))).toHaveLength(1)
    expect(text.match(new RegExp(`^# TYPE ${name} `, 'gm'))).toHaveLength(1)
  }
  const samples = text.split('\n').filter((line) => /^(things_total|seconds|alone)/.test(line))
  expect(samples).toEqual([
    'things_total{kind="a",service="session"} 2',
    'things_total{kind="a",service="flow"} 2',
    'seconds_bucket{le="1",service="session"} 1',
    'seconds_bucket{le="+Inf",service="session"} 1',
    'seconds_sum{service="session"} 0.5',
    'seconds_count{service="session"} 1',
    'seconds_bucket{le="1",service="flow"} 1',
    'seconds_bucket{le="+Inf",service="flow"} 1',
    'seconds_sum{service="flow"} 0.5',
    'seconds_count{service="flow"} 1',
    'alone{service="flow"} 7',
  ])
})
