import { loadavg } from 'node:os'
import { rabbitmqIsInstalled } from '@kyc/testing'
import { apiClient } from '../support/api.ts'
import { startDeployment } from '../support/deployment.ts'
import { offer, timesOf } from '../support/open-loop.ts'
import { percentile } from './support/session-load.ts'

export const name = 'overload'

const clients = 16
/** Open connections of the clients: four times the requests that the gateway lets wait for one service. */
const connections = 512
const calmSeconds = 10
const seconds = Number(process.env.BENCH_OVERLOAD_SECONDS ?? 120)

/** Three times the throughput just measured, from clients that do not wait for each other. */
export async function run(): Promise<string> {
  if (!rabbitmqIsInstalled()) return '## overload\n\nSkipped: no rabbitmq-server is installed.'
  const deployment = await startDeployment({ durable: { max_connections: '200' } })
  try {
    const app = await deployment.createApp()
    const api = apiClient(deployment.baseUrl, app.api_key)
    const closedLoop = async (forSeconds: number) => {
      const times: number[] = []
      const began = performance.now()
      await Promise.all(
        Array.from({ length: clients }, async () => {
          while (performance.now() - began < forSeconds * 1_000) {
            const sent = performance.now()
            if ((await api.post('/v1/sessions', {})).status === 201) times.push(performance.now() - sent)
          }
        }),
      )
      return times.sort((a, b) => a - b)
    }
    await closedLoop(5)
    const calm = await closedLoop(calmSeconds)
    const capacity = calm.length / calmSeconds
    const answers = await offer({
      url: `${deployment.baseUrl}/v1/sessions`,
      method: 'POST',
      headers: { 'x-api-key': app.api_key },
      body: '{}',
      perSecond: 3 * capacity,
      seconds,
      connections,
    })
    const after = await closedLoop(calmSeconds)
    const line = (label: string, times: readonly number[], perSecond: number) =>
      `| ${label} | ${perSecond.toFixed(0)} | ${percentile(times, 0.5).toFixed(0)} | ${percentile(times, 0.99).toFixed(0)} |`
    const [admitted, refused] = [201, 503].map((status) => timesOf(answers, status, 'connected')) as [
      number[],
      number[],
    ]
    const waits = answers.map(({ waitedMs }) => waitedMs).sort((a, b) => a - b)
    return [
      '## overload',
      '',
      `\`POST /v1/sessions\`: ${clients} clients for ${calmSeconds} s, then three times that rate for ${seconds} s over ${connections} connections whether or not answers come, then the ${clients} clients again. Load generator and all services share the machine (load average ${loadavg()[0]?.toFixed(1)}).`,
      '',
      '| | a second | p50 ms | p99 ms |',
      '|---|---|---|---|',
      line('before', calm, capacity),
      line('offered, let through', admitted, admitted.length / seconds),
      line('offered, refused at once (503)', refused, refused.length / seconds),
      line('right after', after, after.length / calmSeconds),
      '',
      `Times are from having a connection. Until one was free, offered requests waited ${percentile(waits, 0.5).toFixed(0)} ms at p50, ${percentile(waits, 0.99).toFixed(0)} ms at p99.`,
      '',
      `${answers.length - admitted.length - refused.length} of ${answers.length} offered requests ended in any other way.`,
    ].join('\n')
  } finally {
    await deployment.stop()
  }
}
