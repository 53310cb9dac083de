import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

const ownerSchema = z.object({ pid: z.int(), host: z.string(), since: z.string() })
/** The process that holds a folder: `host` tells containers apart that share the folder. */
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

/** Between the lock and the file that names the owner, a refused process waits this long for the name. */
const nameTimeoutMs = 2_000
const retryMs = 50

/**
 * Takes a folder for this process alone, or throws {@link FolderInUseError}. The lock is SQLite's exclusive lock on an
 * empty file: a lock of the kernel, so it ends with its process however that dies, cannot go stale with a recycled pid,
 * and holds between containers that share the folder. PostgreSQL, which outlives a killed process, does not inherit it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await mkdir(folder, { recursive: true })
  const ownerFile = join(folder, 'owner.json')
  const deadline = Date.now() + nameTimeoutMs
  for (;;) {
    const close = await tryLock(join(folder, 'owner.lock'))
    if (close) return holdLock(ownerFile, close)
    const owner = await readOwner(ownerFile)
    // A killed owner leaves its name: until the present one has written its own, nobody is named.
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

/** Undefined when another process, or another caller in this one, has the lock. */
async function tryLock(file: string): Promise<(() => void) | undefined> {
  // Imported here: services that lock nothing do not load SQLite.
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

/** Only decides whose name a message carries, never whether the folder is free. */
function isGone({ pid, host }: FolderOwner): boolean {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
