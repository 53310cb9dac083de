import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

const ownerSchema = z.object({ pid: z.int(), host: z.string(), since: z.string() })
/** The process that holds a folder. `host` distinguishes containers that share the folder. */
export type FolderOwner = z.infer<typeof ownerSchema>

export type FolderLock = { release(): Promise<void> }

/** The folder belongs to another process that is still running. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
  readonly folder: string
  readonly owner: FolderOwner | undefined

  constructor(folder: string, owner: FolderOwner | undefined) {
    const process_ = owner
      ? `process ${owner.pid} on ${owner.host}, running since ${owner.since}`
      : 'another process'
    super(`${folder} is in use by ${process_}. Stop that process first, or use another folder.`)
    this.folder = folder
    this.owner = owner
  }
}

/** The owner writes its name after it has taken the lock; a rejected process waits this long for the name. */
const nameTimeoutMs = 2_000
const retryMs = 50

/**
 * Locks a folder for this process, or throws {@link FolderInUseError}. The lock is SQLite's exclusive lock on an empty
 * file. It is a kernel lock, so it ends with its process however that dies, cannot become stale through a reused pid,
 * and works between containers that share the folder. PostgreSQL, which outlives a killed process, does not inherit it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true })
  const ownerFile = join(folder, 'owner.json')
  const deadline = Date.now() + nameTimeoutMs
  for (;;) {
    const close = await tryLock(join(folder, 'owner.lock'))
    if (close) return holdLock(ownerFile, close)
    const owner = await readOwner(ownerFile)
    // A killed owner leaves its name behind. Until the current owner has written its own, no owner is reported.
    if (owner && !isGone(owner)) throw new FolderInUseError(folder, owner)
    if (Date.now() > deadline) throw new FolderInUseError(folder, undefined)
    await delay(retryMs)
  }
}

async function holdLock(ownerFile: string, close: () => void): Promise<FolderLock> {
  try {
    await writeOwner(ownerFile)
  } catch (error) {
    close()
    throw error
  }
  return {
    release: async () => {
      await rm(ownerFile, { force: true })
      close()
    },
  }
}

/** Undefined when another process, or another caller in this one, holds the lock. */
async function tryLock(file: string): Promise<(() => void) | undefined> {
  // Imported here, so that services that lock nothing do not load SQLite.
  const { DatabaseSync } = await import('node:sqlite')
  let database: InstanceType<typeof DatabaseSync> | undefined
  try {
    const opened = new DatabaseSync(file)
    database = opened
    opened.exec('BEGIN EXCLUSIVE')
    return () => opened.close()
  } catch (error) {
    database?.close()
    const { errcode, message } = error as Error & { errcode?: number }
    if (errcode === sqliteBusy) return undefined
    throw new Error(`${file}: cannot be locked (${message})`, { cause: error })
  }
}

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5

async function writeOwner(file: string): Promise<void> {
  const owner: FolderOwner = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  await writeFile(`${file}.part`, `${JSON.stringify(owner)}\n`)
  await rename(`${file}.part`, file)
}

async function readOwner(file: string): Promise<FolderOwner | undefined> {
  try {
    return ownerSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** Decides only which name an error message contains, never whether the folder is free. */
function isGone({ pid, host }: FolderOwner): boolean {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
