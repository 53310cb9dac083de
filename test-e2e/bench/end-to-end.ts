import { readFileSync } from 'node:fs'
import { modelsDir, rabbitmqIsInstalled } from '@kyc/testing'
import { apiClient } from '../support/api.ts'
import { type Deployment, startDeployment } from '../support/deployment.ts'
import { facePhotos } from '../support/photos.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { exampleHolder, specimenPassport } from '../support/specimen.ts'
import { submitWithImages } from './support/image-session.ts'
import { percentile, runSessions, type SessionLoad } from './support/session-load.ts'

export const name = 'end-to-end'

const rounds = 3
const seconds = 10
const clients = 12
const imageSessions = 6

/** Sessions from creation to the client's webhook, through every service as a process of its own. */
export async function run(): Promise<string> {
  if (!rabbitmqIsInstalled()) return '## end to end\n\nSkipped: no rabbitmq-server is installed.'
  const receiver = await startReceiver()
  const deployment = await startDeployment()
  try {
    const app = await deployment.createApp(receiver.url)
    receiver.useSecret(app.webhook_secret)
    const options = { baseUrl: deployment.baseUrl, apiKey: app.api_key, receiver, seconds, clients }
    await runSessions({ ...options, seconds: 3 })
    const runs: SessionLoad[] = []
    for (let round = 0; round < rounds; round++) runs.push(await runSessions(options))
    return [
      '## end to end',
      '',
      `Eight services as processes, RabbitMQ, PostgreSQL (flushing off, as in tests), the load and its receiver share the machine; ${rounds} rounds of ${seconds} s, ${clients} at a time.`,
      '',
      '| | a second | submit to webhook p50 ms | p95 ms | failed |',
      '|---|---|---|---|---|',
      ...runs.map((result, index) => line(`scenario \`approved\`, no images, round ${index + 1}`, result)),
      ...(await withImages(deployment, app.api_key, receiver)),
    ].join('\n')
  } finally {
    await deployment.stop()
    await receiver.close()
  }
}

const line = (label: string, { decided, seconds: took, latencies, failures }: SessionLoad): string =>
  `| ${label} | ${(decided / took).toFixed(1)} | ${percentile(latencies, 0.5).toFixed(0)} | ${percentile(latencies, 0.95).toFixed(0)} | ${failures.length} |`

async function withImages(deployment: Deployment, apiKey: string, receiver: Receiver): Promise<string[]> {
  const photos = facePhotos()
  if (!photos || !modelsDir())
    return ['| with a document and a selfie | skipped: no models or photos of faces here | | | |']
  const [portrait, selfie] = photos.same.map((file) => readFileSync(file)) as [Buffer, Buffer]
  const document = await specimenPassport(exampleHolder, portrait)
  const api = apiClient(deployment.baseUrl, apiKey)
  const load: SessionLoad = { decided: 0, seconds: 0, latencies: [], failures: [] }
  const began = performance.now()
  for (let index = 0; index < imageSessions; index++) {
    try {
      const { session_id, submittedAt } = await submitWithImages(api, deployment.baseUrl, {
        document,
        selfie,
      })
      await receiver.until(
        ({ data }) => data.session_id === session_id && ['approved', 'in_review'].includes(data.status),
        60_000,
      )
      load.latencies.push(performance.now() - submittedAt)
      load.decided++
    } catch (error) {
      load.failures.push(String(error))
    }
  }
  load.seconds = (performance.now() - began) / 1000
  load.latencies.sort((a, b) => a - b)
  return [line('with a document and a selfie, read, matched and judged, one at a time', load)]
}
