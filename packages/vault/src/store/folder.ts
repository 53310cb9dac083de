import { randomBytes } from 'node:crypto'
import { access, constants, type Stats } from 'node:fs'
import {
  chmod,
  type FileHandle,
  link,
  mkdir,
  open,
  opendir,
  rename,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { VaultStorageError } from '../errors.ts'
import type { Body, ObjectStore, StoredObject } from './object-store.ts'
import { readWhole } from './read-whole.ts'
import { systemErrorCode } from './system-error.ts'

const partPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/
const temporary = '.tmp'
const readBytes = 256 * 1024

/**
 * Objects as files below `dir`: folders 0700, files 0600. A write goes to `.tmp`, is flushed, and gets its name by
 * `rename` (replace) or `link` (create, which fails when the name is taken), so everything must be on one file system.
 * Works on any POSIX file system, including NFS v3 and later.
 */
export function folderStore(dir: string): ObjectStore {
  const root = resolve(dir)

  const pathOf = (name: string): string => {
    const parts = name.split('/')
    if (!parts.every((part) => partPattern.test(part))) throw new TypeError('Not an object name.')
    return join(root, ...parts)
  }

  async function write(name: string, body: Body, mode: 'create' | 'replace'): Promise<'written' | 'exists'> {
    const path = pathOf(name)
    const temp = join(root, temporary, randomBytes(16).toString('hex'))
    await makeFolder(join(root, temporary))
    try {
      await writeNew(temp, body)
      return await takeName(temp, path, mode)
    } finally {
      await unlink(temp).catch(ignoreMissing)
    }
  }

  /** A folder can disappear between its creation and its use, when its session is purged. */
  async function takeName(temp: string, path: string, mode: 'create' | 'replace', attempt = 1) {
    try {
      await makeFolder(dirname(path))
      if (mode === 'create') await link(temp, path)
      else await rename(temp, path)
      await syncFolder(dirname(path))
      return 'written' as const
    } catch (error) {
      if (mode === 'create' && hasCode(error, 'EEXIST')) return 'exists' as const
      if (hasCode(error, 'ENOENT') && attempt < 5) return takeName(temp, path, mode, attempt + 1)
      throw error
    }
  }

  async function read(name: string): Promise<Buffer | undefined> {
    try {
      return await readWhole(pathOf(name))
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async function stream(name: string) {
    const file = await openToRead(pathOf(name))
    if (!file) return undefined
    const { size } = await file.stat()
    return { bytes: size, body: piecesOf(file, size), close: () => file.close() }
  }

  async function remove(name: string): Promise<boolean> {
    const path = pathOf(name)
    try {
      await unlink(path)
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
    await syncFolder(dirname(path)).catch(ignoreMissing)
    await removeEmpty(dirname(path), root)
    return true
  }

  async function* list(folder: string): AsyncGenerator<StoredObject> {
    for (const path of await filesBelow(pathOf(folder))) {
      const found = await statOrNothing(path)
      if (!found) continue
      const name = relative(root, path).split(sep).join('/')
      yield { name, bytes: found.size, modified_at: found.mtime }
    }
  }

  async function collectOrphans(before: Date): Promise<number> {
    let collected = 0
    for (const path of await filesBelow(join(root, temporary))) {
      const found = await statOrNothing(path)
      if (!found || found.mtime >= before) continue
      await unlink(path).catch(ignoreMissing)
      collected++
    }
    return collected
  }

  async function check(): Promise<void> {
    await makeFolder(join(root, temporary))
    // The group may be set by the volume (Kubernetes' fsGroup). Other users must have no access.
    const { mode } = await stat(root)
    if ((mode & 0o007) !== 0) await chmod(root, mode & 0o770)
    const probe = join(root, temporary, randomBytes(16).toString('hex'))
    await writeNew(probe, [Buffer.from('probe')])
    await unlink(probe)
  }

  return {
    write: (name, body, mode) => asStorageErrors(() => write(name, body, mode)),
    read: (name) => asStorageErrors(() => read(name)),
    stream: (name) => asStorageErrors(() => stream(name)),
    exists: (name) => asStorageErrors(() => exists(pathOf(name))),
    delete: (name) => asStorageErrors(() => remove(name)),
    children: (folder) => childrenOf(pathOf(folder)),
    list,
    collectOrphans: (before) => asStorageErrors(() => collectOrphans(before)),
    check: () => asStorageErrors(check),
  }
}

const hasCode = (error: unknown, ...codes: string[]) => codes.includes(systemErrorCode(error) ?? '')
const isMissing = (error: unknown) => hasCode(error, 'ENOENT', 'ENOTDIR')
const ignoreMissing = (error: unknown): void => {
  if (!isMissing(error)) throw error
}

/** System errors contain paths, which contain only ids. The operator needs the code (ENOSPC, EACCES). */
async function asStorageErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation()
  } catch (error) {
    const code = systemErrorCode(error)
    if (!code) throw error
    throw new VaultStorageError(`The vault folder failed (${code}).`, error)
  }
}

async function writeNew(path: string, body: Body): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    if (Symbol.asyncIterator in body) for await (const piece of body) await writeAll(file, [piece])
    else await writeAll(file, body)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** `writev` may write less than requested; the rest is written again. */
async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  let left = pieces.filter((piece) => piece.length > 0)
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left)
    while (left.length > 0 && bytesWritten >= left[0]!.length) {
      bytesWritten -= left[0]!.length
      left = left.slice(1)
    }
    if (bytesWritten > 0) left = [left[0]!.subarray(bytesWritten), ...left.slice(1)]
  }
}

async function openToRead(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(readBytes, size - position))
    const { bytesRead } = await asStorageErrors(() => file.read(piece, 0, piece.length, position))
    if (bytesRead === 0) return
    position += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}

/**
 * For a session's ledger entry, which is checked with every key and almost never exists. Returns a boolean, because
 * creating an error with its stack would be expensive.
 */
const exists = (path: string): Promise<boolean> =>
  new Promise((answer, fail) =>
    access(path, (error) => (!error || isMissing(error) ? answer(!error) : fail(error))),
  )

async function statOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  // A new folder is only as durable as its entry in its parent folder.
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Removes folders that became empty, up to `root`. A folder that is in use again remains. */
async function removeEmpty(folder: string, root: string): Promise<void> {
  for (let path = folder; path.length > root.length; path = dirname(path)) {
    try {
      await rmdir(path)
    } catch (error) {
      if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY')) return
      throw error
    }
  }
}

async function* childrenOf(path: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(path)) if (!entry.name.startsWith('.')) yield entry.name
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

async function filesBelow(path: string): Promise<string[]> {
  const found: string[] = []
  try {
    for await (const entry of await opendir(path)) {
      const child = join(path, entry.name)
      if (entry.isDirectory()) found.push(...(await filesBelow(child)))
      else found.push(child)
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  return found
}
