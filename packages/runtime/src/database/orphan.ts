import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../logger.ts'

/** How long a fast shutdown (SIGINT) may take before PostgreSQL is told to shut down immediately (SIGQUIT). */
const patienceMs = 10_000

/**
 * Stops the PostgreSQL named in `postmaster.pid`, if it runs on this data folder. Only the process that holds the
 * folder's lock may call this, because then the server's parent was killed, and nobody uses the server any more.
 */
export async function stopOrphan(data: string, logger: Logger): Promise<void> {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 1 || !isServerOf(pid, data)) return
  logger.info('stopping a PostgreSQL whose parent process was killed', { pid })
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    sendSignal(pid, signal)
    const deadline = Date.now() + patienceMs
    while (Date.now() < deadline) {
      if (!isServerOf(pid, data)) return
      await delay(50)
    }
  }
  throw new Error(`PostgreSQL ${pid}, left by a killed process on ${data}, does not stop`)
}

/** The server may end between the check and the signal. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The pid may have been reused by another program since. */
function isServerOf(pid: number, data: string): boolean {
  try {
    const command = existsSync('/proc/self/cmdline')
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && `${command} `.includes(` -D ${data} `)
  } catch {
    return false
  }
}
