import { readdirSync, readFileSync } from 'node:fs'
import { type DeployedService, type Deployment, deployedServices } from '../../support/deployment.ts'

export type Sample = {
  /** Seconds since the first sample. */
  at: number
  /** Resident memory, MiB. */
  memory: number
  /** Open file handles, including sockets. */
  handles: number
  /** CPU time since the process started, seconds. */
  cpu: number
}

const ended: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH'])
const pageBytes = 4096
const ticksPerSecond = 100

/** Reads one process from `/proc` (Linux). */
function look(pid: number, began: number): Sample {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  // After the name, which may contain spaces: utime and stime are the 12th and 13th fields.
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

/**
 * Samples every process of a deployment until `stop`: `series` by service (its first replica), `processes` by
 * process id. Both contain the samples so far.
 */
export function startSampler(deployment: Deployment, everyMs: number) {
  const processes = new Map<number, Sample[]>()
  const series = new Map<DeployedService, Sample[]>()
  const began = performance.now()
  for (const service of deployedServices) {
    for (const { process } of deployment.replicasOf(service)) {
      if (process.child.pid === undefined) continue
      const samples: Sample[] = []
      processes.set(process.child.pid, samples)
      if (!series.has(service)) series.set(service, samples)
    }
  }
  const round = () => {
    for (const [pid, samples] of processes) {
      try {
        samples.push(look(pid, began))
      } catch (error) {
        // The samples of a process that has exited end before the others'.
        if (!ended.has(String((error as NodeJS.ErrnoException).code))) throw error
      }
    }
  }
  round()
  const timer = setInterval(round, everyMs)
  return {
    series,
    processes,
    stop: () => {
      clearInterval(timer)
      round()
    },
  }
}

/** Least squares: how much `value` grows per second. */
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
