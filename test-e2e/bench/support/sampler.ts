import { readdirSync, readFileSync } from 'node:fs'
import { type DeployedService, type Deployment, deployedServices } from '../../support/deployment.ts'

export type Sample = {
  /** Seconds since the first sample. */
  at: number
  /** Resident memory, MiB. */
  memory: number
  /** Open file handles, sockets among them. */
  handles: number
  /** CPU time since the process began, seconds. */
  cpu: number
}

const pageBytes = 4096
const ticksPerSecond = 100

/** One process as Linux sees it (`/proc`). */
function look(pid: number, began: number): Sample {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  // After the name, which may hold spaces: utime and stime are the 12th and 13th fields.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return {
    at: (performance.now() - began) / 1000,
    memory: (pages * pageBytes) / 2 ** 20,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    cpu: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
  }
}

/** Samples every process of a deployment until `stop`, which returns the series by service (its first replica). */
export function startSampler(deployment: Deployment, everyMs: number) {
  const series = new Map<DeployedService, Sample[]>(deployedServices.map((service) => [service, []]))
  const began = performance.now()
  const round = () => {
    for (const service of deployedServices) {
      const pid = deployment.replicasOf(service)[0]?.process.child.pid
      if (pid !== undefined) series.get(service)?.push(look(pid, began))
    }
  }
  round()
  const timer = setInterval(round, everyMs)
  return {
    stop: () => {
      clearInterval(timer)
      round()
      return series
    },
  }
}

/** Least squares: how much `value` grows in a second. */
export function slope(samples: readonly Sample[], value: 'memory' | 'handles'): number {
  const count = samples.length
  const meanAt = samples.reduce((sum, sample) => sum + sample.at, 0) / count
  const mean = samples.reduce((sum, sample) => sum + sample[value], 0) / count
  let above = 0
  let below = 0
  for (const sample of samples) {
    above += (sample.at - meanAt) * (sample[value] - mean)
    below += (sample.at - meanAt) ** 2
  }
  return below === 0 ? 0 : above / below
}
