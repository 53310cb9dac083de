import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { modelsDir, rabbitmqIsInstalled } from '@kyc/testing'
import pg from 'pg'
import { apiClient } from '../support/api.ts'
import {
  type DeployedService,
  type Deployment,
  deployedServices,
  startDeployment,
} from '../support/deployment.ts'
import { facePhotos } from '../support/photos.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { exampleHolder, specimenPassport } from '../support/specimen.ts'
import { submitWithImages } from './support/image-session.ts'
import { type Sample, startSampler } from './support/sampler.ts'
import { percentile, runSessions, type SessionLoad } from './support/session-load.ts'

export const name = 'end-to-end'

const rounds = 3
const seconds = 10
const clients = 12
const imageSessions = 6
const sampleEveryMs = 500
const idleSeconds = 10

/** Sessions from creation to the client's webhook, with every service as a separate process. */
export async function run(keep: (section: string) => void): Promise<string> {
  if (!rabbitmqIsInstalled()) return '## end to end\n\nSkipped: no rabbitmq-server is installed.'
  const receiver = await startReceiver({ keep: false })
  const deployment = await startDeployment({ durable: { max_connections: '200' } })
  const lines = [
    '## end to end',
    '',
    `Eight services as processes, RabbitMQ, PostgreSQL (every commit flushed), the load and its receiver share the machine; ${rounds} rounds of ${seconds} s, ${clients} at a time.`,
    'Decision: the row of the session says so, by its own times. Webhook: the receiver has it, as the client sees it.',
    '',
    '| | decided a second | submit to decision p50 ms | p95 ms | submit to webhook p50 ms | p95 ms | failed |',
    '|---|---|---|---|---|---|---|',
  ]
  const add = (line: string) => {
    lines.push(line)
    keep(lines.join('\n'))
  }
  try {
    const app = await deployment.createApp(receiver.url)
    receiver.useSecret(app.webhook_secret)
    const options = { baseUrl: deployment.baseUrl, apiKey: app.api_key, receiver, seconds, clients }
    await runSessions({ ...options, seconds: 5 })
    const idle = startSampler(deployment, sampleEveryMs)
    await delay(idleSeconds * 1_000)
    idle.stop()
    const sampler = startSampler(deployment, sampleEveryMs)
    let decided = 0
    for (let round = 1; round <= rounds; round++) {
      const since = new Date()
      const load = await runSessions(options)
      decided += load.decided
      add(row(`scenario \`approved\`, no images, round ${round}`, load, await decisions(deployment, since)))
    }
    sampler.stop()
    const imageSampler = startSampler(deployment, sampleEveryMs)
    const images = await withImages(deployment, app.api_key, receiver)
    imageSampler.stop()
    add(images.line)
    add(
      costTable(idle.series, { series: sampler.series, decided }, { series: imageSampler.series, ...images }),
    )
  } finally {
    await deployment.stop()
    await receiver.close()
  }
  return [...lines, '', `Load average of the last minute: ${loadavg()[0]?.toFixed(1)}.`].join('\n')
}

type SeriesByService = ReadonlyMap<DeployedService, readonly Sample[]>

type Measured = { series: SeriesByService; decided: number }

/**
 * The cost of a session in each service, without its idle cost: the input for a capacity plan and for the resource
 * requests of a cluster.
 */
function costTable(idle: SeriesByService, plain: Measured, images: Measured): string {
  const spent = (samples: readonly Sample[] = []) => {
    const [first, last] = [samples[0], samples.at(-1)]
    return { cpu: (last?.cpu ?? 0) - (first?.cpu ?? 0), seconds: (last?.at ?? 0) - (first?.at ?? 0) }
  }
  const cost = (service: DeployedService, { series, decided }: Measured) => {
    if (decided === 0) return '–'
    const [still, busy] = [spent(idle.get(service)), spent(series.get(service))]
    return (((busy.cpu - (still.cpu / still.seconds) * busy.seconds) * 1_000) / decided).toFixed(0)
  }
  const most = (samples: readonly Sample[] = []) => Math.max(...samples.map(({ memory }) => memory))
  return [
    '',
    'Processor time is that of the service alone, less what it takes with nothing to do.',
    '',
    '| service | CPU ms a session, no images | CPU ms a session with images | CPU ms a second with nothing to do | memory MiB, most |',
    '|---|---|---|---|---|',
    ...deployedServices.map((service) => {
      const still = spent(idle.get(service))
      const memory = Math.max(most(plain.series.get(service)), most(images.series.get(service)))
      return `| ${service} | ${cost(service, plain)} | ${cost(service, images)} | ${((still.cpu / still.seconds) * 1_000).toFixed(0)} | ${memory.toFixed(0)} |`
    }),
  ].join('\n')
}

type Percentiles = { p50: number; p95: number }

function row(
  label: string,
  { decided, seconds: took, latencies, failures }: SessionLoad,
  decision: Percentiles,
) {
  const figures = [decision.p50, decision.p95, percentile(latencies, 0.5), percentile(latencies, 0.95)]
  return `| ${label} | ${(decided / took).toFixed(1)} | ${figures.map((figure) => figure.toFixed(0)).join(' | ')} | ${failures.length} |`
}

/** Milliseconds from submission to decision, of the sessions submitted since. */
async function decisions({ databaseUrl }: Deployment, since: Date): Promise<Percentiles> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<Percentiles>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY took) AS p50, percentile_cont(0.95) WITHIN GROUP (ORDER BY took) AS p95
     FROM (SELECT extract(epoch FROM coalesce(completed_at, in_review_at) - submitted_at)::float8 * 1000 AS took FROM session.session
           WHERE submitted_at >= $1) AS decided WHERE took IS NOT NULL`,
    [since],
  )
  await client.end()
  return rows[0] ?? { p50: Number.NaN, p95: Number.NaN }
}

async function withImages(
  deployment: Deployment,
  apiKey: string,
  receiver: Receiver,
): Promise<{ line: string; decided: number }> {
  const photos = facePhotos()
  if (!photos || !modelsDir())
    return {
      line: '| with a document and a selfie | skipped: no models or photos of faces here | | | | | |',
      decided: 0,
    }
  const [portrait, selfie] = photos.same.map((file) => readFileSync(file)) as [Buffer, Buffer]
  const document = await specimenPassport(exampleHolder, portrait)
  const api = apiClient(deployment.baseUrl, apiKey)
  const load: SessionLoad = { decided: 0, seconds: 0, latencies: [], failures: [] }
  const since = new Date()
  const began = performance.now()
  for (let index = 0; index < imageSessions; index++) {
    try {
      const { submittedAt, decision } = await submitWithImages(api, deployment.baseUrl, receiver, {
        document,
        selfie,
      })
      await decision
      load.latencies.push(performance.now() - submittedAt)
      load.decided++
    } catch (error) {
      load.failures.push(String(error))
    }
  }
  load.seconds = (performance.now() - began) / 1000
  load.latencies.sort((a, b) => a - b)
  const label = 'with a document and a selfie, read, matched and judged, one at a time'
  return { line: row(label, load, await decisions(deployment, since)), decided: load.decided }
}
