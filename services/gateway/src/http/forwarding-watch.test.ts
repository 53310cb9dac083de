import { expect, test } from '@jest/globals'
import { createMetrics, type Logger, silentLogger } from '@kyc/runtime'
import type { AddressSource } from '../domain/client-address.ts'
import { createForwardingWatch } from './forwarding-watch.ts'

function startWatch() {
  const warnings: unknown[] = []
  const logger: Logger = { ...silentLogger, warn: (_message, fields) => warnings.push(fields) }
  let now = Date.parse('2030-01-01T00:00:00Z')
  const metrics = createMetrics('gateway')
  const note = createForwardingWatch({ logger, metrics, clock: { now: () => new Date(now) } })
  return {
    warnings,
    metrics,
    note: (source: AddressSource, times = 1) => {
      for (let request = 0; request < times; request++) note(source)
    },
    advance: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

test('warns at most once a minute when all requests of a minute carry the header from an untrusted peer', () => {
  const watch = startWatch()
  watch.note('ignored', 40)
  expect(watch.warnings).toEqual([])
  watch.advance(60)
  watch.note('ignored', 1_000)
  expect(watch.warnings).toEqual([{ requests: 40 }])
  watch.advance(59)
  watch.note('ignored', 1_000)
  expect(watch.warnings).toHaveLength(1)
  watch.advance(1)
  watch.note('ignored')
  expect(watch.warnings).toEqual([{ requests: 40 }, { requests: 2_000 }])
})

test('does not warn if some requests come directly, if the proxy is trusted, or about a few requests', () => {
  for (const traffic of [
    [
      ['ignored', 40],
      ['peer', 1],
    ],
    [['forwarded', 40]],
    [['peer', 40]],
    [['ignored', 9]],
  ] as [AddressSource, number][][]) {
    const watch = startWatch()
    for (const [source, times] of traffic) watch.note(source, times)
    watch.advance(61)
    watch.note('ignored')
    expect(watch.warnings).toEqual([])
  }
})

test('counts requests by source', async () => {
  const watch = startWatch()
  watch.note('ignored', 3)
  watch.note('forwarded', 2)
  const all = (await watch.metrics.registry.metrics()).split('\n')
  expect(all).toContain('gateway_client_addresses_total{source="ignored",service="gateway"} 3')
  expect(all).toContain('gateway_client_addresses_total{source="forwarded",service="gateway"} 2')
})
