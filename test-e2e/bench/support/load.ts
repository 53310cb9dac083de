import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import autocannon from 'autocannon'

export type LoadResult = { requestsPerSecond: number; p50: number; p99: number; errors: number }

/** Loads a URL over loopback for a few seconds, after a warm-up that does not count. */
export async function load(options: autocannon.Options, seconds = 5): Promise<LoadResult> {
  await autocannon({ ...options, duration: 1 })
  const result = await autocannon({ ...options, duration: seconds })
  return {
    requestsPerSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: result.errors + result.non2xx,
  }
}

const ticksPerSecond = existsSync('/proc/self/stat')
  ? Number(execFileSync('getconf', ['CLK_TCK']))
  : Number.NaN

/** User and system CPU time of a process so far, in seconds (Linux). */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Runs a script as a separate process, so that its CPU time is distinct from the load generator's. */
export function spawnScript(
  file: string,
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): ChildProcess {
  return spawn(process.execPath, ['--conditions=source', '--import', 'tsx', file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', ...environment },
  })
}

/** The first line a process prints. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const end = text.indexOf('\n')
      if (end !== -1) resolve(text.slice(0, end))
    })
    child.once('exit', (code) => reject(new Error(`the process ended with ${code}`)))
  })
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
