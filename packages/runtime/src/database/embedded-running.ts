import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeOutside } from './embedded-placement.ts'

/**
 * The URL of the embedded server that another process runs on `folder`; its port is in the server's `postmaster.pid`.
 * Undefined while it is not running.
 */
export function runningEmbeddedUrl(folder: string): string | undefined {
  const pidFile = [folder, placeOutside(folder)]
    .map((place) => join(place, 'data', 'postmaster.pid'))
    .find((file) => existsSync(file))
  if (!pidFile) return undefined
  const port = readFileSync(pidFile, 'utf8').split('\n')[3]
  const password = readFileSync(join(folder, 'postgres-password'), 'utf8').trim()
  return `postgresql://kyc:${password}@127.0.0.1:${port}/kyc`
}
