import type { Bus, BusHooks } from '@kyc/bus'
import type { Metrics } from '@kyc/runtime'
import { type Job, periodicJob } from './compose.ts'
import type { ServiceDeps } from './service.ts'

const depthEveryMs = 15_000

/** Bus hooks that record the activity of a process's bus as metrics. */
export function busHooks(metrics: Metrics): BusHooks {
  const published = metrics.counter('bus_published_total', 'Events handed to the broker, by outcome', [
    'event',
    'outcome',
  ])
  const handled = metrics.histogram('bus_handle_seconds', 'Time to handle one message', ['queue', 'outcome'])
  const ages = metrics.histogram(
    'bus_message_age_seconds',
    'From the moment an event occurred to the end of its handling',
    ['queue'],
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200],
  )
  const requests = metrics.histogram('bus_request_seconds', 'Time until a request was answered', [
    'request',
    'outcome',
  ])
  const blocked = metrics.gauge('bus_blocked', '1 while the broker takes nothing (memory or disk alarm)')
  blocked.set(0)
  return {
    onPublished: ({ name, outcome }) => published.inc({ event: name, outcome }),
    onHandled: ({ queue, outcome, seconds, ageSeconds }) => {
      handled.observe({ queue, outcome }, seconds)
      ages.observe({ queue }, Math.max(0, ageSeconds))
    },
    onRequested: ({ name, outcome, seconds }) => requests.observe({ request: name, outcome }, seconds),
    onBlocked: (now) => blocked.set(now ? 1 : 0),
  }
}

/** Measures the depth and age of every queue that this process consumes, every 15 seconds. */
export function queueDepthJob(
  bus: Bus,
  { metrics, logger }: Pick<ServiceDeps, 'metrics' | 'logger'>,
  everyMs = depthEveryMs,
): Job {
  const messages = metrics.gauge('bus_queue_messages', 'Messages of a queue, by where they are', [
    'queue',
    'state',
  ])
  const oldest = metrics.gauge('bus_queue_oldest_age_seconds', 'Age of the oldest message known', ['queue'])
  return periodicJob({
    name: 'queue depth',
    everyMs,
    logger,
    work: async () => {
      for (const { queue, ready, inFlight, retrying, dead, oldestAgeSeconds } of await bus.depths()) {
        messages.set({ queue, state: 'ready' }, ready)
        messages.set({ queue, state: 'in_flight' }, inFlight)
        messages.set({ queue, state: 'retrying' }, retrying)
        messages.set({ queue, state: 'dead' }, dead)
        oldest.set({ queue }, oldestAgeSeconds ?? 0)
      }
    },
  })
}
