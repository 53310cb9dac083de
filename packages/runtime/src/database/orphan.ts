import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../logger.ts'

/** Ends the server named in `postmaster.pid`, when it is a PostgreSQL on this very data folder. */
export async function endOrphan(data: string, logger: Logger): Promise<void> {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 1 || !isServerOf(pid, data)) return
  logger.info('ending a PostgreSQL that an earlier process left running', { pid })
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + 10_000
  while (isServerOf(pid, data)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGQUIT')
    await new Promise((resume) => setTimeout(resume, 50))
  }
}

/** A pid may have been given to another program since. */
function isServerOf(pid: number, data: string): boolean {
  try {
    const status = `/proc/${pid}/cmdline`
    const command = existsSync('/proc/self/cmdline')
      ? readFileSync(status, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(data)
  } catch {
    return false
  }
}
