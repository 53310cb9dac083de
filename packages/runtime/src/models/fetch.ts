import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import got from 'got'
import type { ModelEntry } from './manifest.ts'
import { sha256OfFile } from './store.ts'

/**
 * Downloads one model, verifies size and SHA-256, and only then renames it to its final name. Throws when no source
 * provides it.
 */
export async function fetchModel(entry: ModelEntry, directory: string): Promise<string> {
  if (entry.sources.length === 0) {
    throw new Error(
      `${entry.name}: has no public source; put ${entry.file} (sha256 ${entry.sha256}) into the folder`,
    )
  }
  await mkdir(directory, { recursive: true })
  const target = join(directory, entry.file)
  const failures: string[] = []
  for (const source of entry.sources) {
    const partial = `${target}.${process.pid}.part`
    try {
      await download(source, partial, entry.bytes)
      const sum = await sha256OfFile(partial)
      if (sum !== entry.sha256) throw new Error(`the sum is ${sum}, not ${entry.sha256}`)
      await rename(partial, target)
      return target
    } catch (error) {
      failures.push(`${source}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      await rm(partial, { force: true })
    }
  }
  throw new Error(`${entry.name} could not be fetched:\n  ${failures.join('\n  ')}`)
}

async function download(url: string, path: string, expectedBytes: number): Promise<void> {
  let received = 0
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      done(received > expectedBytes ? new Error('the file is larger than it should be') : null, chunk)
    },
  })
  const stream = got.stream(url, { timeout: { connect: 10_000, response: 30_000 }, retry: { limit: 0 } })
  await pipeline(stream, bounded, createWriteStream(path))
  if (received !== expectedBytes) throw new Error(`${received} bytes came, ${expectedBytes} were expected`)
}
