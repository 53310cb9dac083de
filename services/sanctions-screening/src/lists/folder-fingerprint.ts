import { createHash, type KeyObject } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Raised when the readers change what they make of the same files, so that a folder is read anew after an upgrade. */
const readersVersion = 1

/** Changes whenever a file of the folder comes, goes or is written, or another key must have signed it. */
export async function folderFingerprint(
  directory: string,
  packKey: KeyObject | null = null,
): Promise<string> {
  const hash = createHash('sha256').update(`readers ${readersVersion}\n`)
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
