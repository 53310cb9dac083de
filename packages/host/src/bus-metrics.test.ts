import { expect, test } from '@jest/globals'
import type { Bus, QueueDepth } from '@kyc/bus'
import { createMetrics, silentLogger } from '@kyc/runtime'
import { busHooks, queueDepthJob } from './bus-metrics.ts'

test('the hooks of the bus are recorded as rates, durations and ages by queue', async () => {
  const metrics = createMetrics('example')
  const hooks = busHooks(metrics)
  hooks.onPublished?.({ name: 'session.submitted', outcome: 'sent' })
  hooks.onHandled?.({
    queue: 'checks.session.submitted',
    name: 'session.submitted',
    outcome: 'retry',
    seconds: 0.2,
    // The clocks of two machines can differ, but an age is never negative.
    ageSeconds: -3,
  })
  hooks.onBlocked?.(true)
  const text = await metrics.registry.metrics()
  expect(text).toContain('bus_published_total{event="session.submitted",outcome="sent",service="example"} 1')
  expect(text).toContain(
    'bus_handle_seconds_sum{service="example",queue="checks.session.submitted",outcome="retry"} 0.2',
  )
  expect(text).toContain('bus_message_age_seconds_sum{service="example",queue="checks.session.submitted"} 0')
  expect(text).toContain('bus_blocked{service="example"} 1')
})

test('depth and age of every queue are measured, and a failed measurement does not prevent the next', async () => {
  const metrics = createMetrics('example')
  const depth: QueueDepth = {
    queue: 'session.check.completed',
    ready: 4,
    inFlight: 1,
    retrying: 2,
    dead: 3,
    oldestAgeSeconds: 7,
  }
  let looks = 0
  const bus = {
    depths: async () => {
      looks++
      if (looks === 1) throw new Error('the channel is gone')
      return [depth]
    },
  } as unknown as Bus
  const job = queueDepthJob(bus, { metrics, logger: silentLogger }, 1)
  await job.start()
  const state = (name: string, value: number) =>
    `bus_queue_messages{queue="session.check.completed",state="${name}",service="example"} ${value}`
  const deadline = Date.now() + 5_000
  while (looks < 3 && Date.now() < deadline) await new Promise((resume) => setTimeout(resume, 1))
  await job.stop()
  const text = await metrics.registry.metrics()
  for (const [name, value] of [
    ['ready', 4],
    ['in_flight', 1],
    ['retrying', 2],
    ['dead', 3],
  ] as const)
    expect(text).toContain(state(name, value))
  expect(text).toContain('bus_queue_oldest_age_seconds{queue="session.check.completed",service="example"} 7')
})
