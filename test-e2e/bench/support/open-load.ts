import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { LoadResult } from './load.ts'
import { percentile } from './session-load.ts'

type Sent = { method: 'POST'; path: string; headers: Record<string, string>; body: string }
type OpenLoad = { url: string; requests: readonly Sent[]; perSecond: number }

/**
 * Requests that come by themselves whatever the answers take: a Poisson process, as many independent callers are.
 * Each is timed from when it was due, so that one that waits behind a slow one counts its waiting.
 * (autocannon's own rate sends all requests of a second at its start.)
 */
export async function openLoad(options: OpenLoad, seconds = 5): Promise<LoadResult> {
  await sendAll(options, 1)
  const { times, errors } = await sendAll(options, seconds)
  times.sort((a, b) => a - b)
  return {
    requestsPerSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    errors,
  }
}

async function sendAll({ url, requests, perSecond }: OpenLoad, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const times: number[] = []
  const underWay: Promise<void>[] = []
  let errors = 0
  const began = performance.now()
  let dueMs = 0
  for (let n = 0; ; n++) {
    // Gaps of a Poisson process are exponential: the inverse of their distribution, of a uniform number.
    dueMs += (-Math.log(1 - Math.random()) / perSecond) * 1000
    if (dueMs > seconds * 1000) break
    const due = began + dueMs
    const early = due - performance.now()
    if (early > 0) await delay(early)
    const sent = requests[n % requests.length]!
    underWay.push(
      statusOf(url, sent, agent).then(
        (status) => {
          times.push(performance.now() - due)
          if (status !== 200) errors++
        },
        () => void errors++,
      ),
    )
  }
  await Promise.all(underWay)
  agent.destroy()
  return { times, errors }
}

function statusOf(url: string, { method, path, headers, body }: Sent, agent: Agent): Promise<number> {
  return new Promise((answered, failed) => {
    const sent = request(new URL(path, url), { method, headers, agent }, (response) => {
      response.resume()
      response.once('end', () => answered(response.statusCode ?? 0))
      response.once('error', failed)
    })
    sent.once('error', failed)
    sent.end(body)
  })
}
