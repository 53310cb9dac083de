import { createHash, type KeyObject } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Increase when the parsers interpret the same files differently, so that folders are read again after an upgrade. */
const parserVersion = 1

/** Changes whenever a file of the folder is added, removed or written, or the signing key changes. */
export async function folderFingerprint(
  directory: string,
  packKey: KeyObject | null = null,
): Promise<string> {
  const hash = createHash('sha256').update(`readers ${parserVersion}\n`)
  if (packKey !== null) hash.update(packKey.export({ type: 'spki', format: 'der' }))
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const path of paths.sort()) {
    const { size, mtimeMs } = await stat(path)
    hash.update(`${relative(directory, path)}\n${size}\n${mtimeMs}\n`)
  }
  return hash.digest('hex')
}
