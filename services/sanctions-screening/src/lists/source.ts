import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** A file that can be opened more than once: recognition reads the beginning, a parser reads all of it. */
export type ListFile = {
  /** Base name, for messages. */
  name: string
  size: number
  modifiedAt: Date
  open(): AsyncIterable<Uint8Array>
}

export async function listFileOnDisk(path: string): Promise<ListFile> {
  const info = await stat(path)
  return {
    name: basename(path),
    size: info.size,
    modifiedAt: info.mtime,
    open: () => createReadStream(path, { highWaterMark: 256 * 1024 }),
  }
}

export function listFileInMemory(
  name: string,
  content: Uint8Array | string,
  modifiedAt = new Date(0),
): ListFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    size: bytes.length,
    modifiedAt,
    open: async function* () {
      const step = 64 * 1024
      for (let i = 0; i < bytes.length; i += step) yield bytes.subarray(i, i + step)
    },
  }
}

/** The first bytes of a file, at most `length`. */
export async function headOf(file: ListFile, length: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of file.open()) {
    chunks.push(chunk)
    total += chunk.length
    if (total >= length) break
  }
  return Buffer.concat(chunks).subarray(0, length)
}
