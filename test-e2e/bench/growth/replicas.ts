import { deployedServices, startDeployment } from '../../support/deployment.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startSampler } from '../support/sampler.ts'
import { runSessions, type SessionLoad } from '../support/session-load.ts'

export type ReplicaGrowth = { replicas: number; load: SessionLoad; cpuMsPerSession: number }

const clients = 12
const seconds = 15

/** Sessions decided by 1, 2, … replicas of every service; reports each number as soon as it is measured. */
export async function withReplicas(most: number, onReplicas: (growth: ReplicaGrowth) => void): Promise<void> {
  const receiver = await startReceiver({ keep: false })
  const deployment = await startDeployment({ durable: { max_connections: '400' } })
  try {
    const app = await deployment.createApp(receiver.url)
    receiver.useSecret(app.webhook_secret)
    const target = { baseUrl: deployment.baseUrl, apiKey: app.api_key, receiver, clients }
    for (let replicas = 1; replicas <= most; replicas++) {
      // Start them one after the other, because starting a service costs seconds of CPU.
      if (replicas > 1) for (const service of deployedServices) await deployment.add(service)
      await runSessions({ ...target, seconds: 5 })
      const sampler = startSampler(deployment, 60_000)
      const load = await runSessions({ ...target, seconds })
      sampler.stop()
      const cpu = [...sampler.processes.values()].reduce(
        (sum, samples) => sum + (samples.at(-1)?.cpu ?? 0) - (samples[0]?.cpu ?? 0),
        0,
      )
      onReplicas({ replicas, load, cpuMsPerSession: (cpu * 1000) / Math.max(1, load.decided) })
    }
  } finally {
    await deployment.stop()
    await receiver.close()
  }
}
