import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import { type ModelEntry, readModelManifest } from './manifest.ts'

export type ResolvedModel = { name: string; path: string; version: string; sha256: string }

/** Finds model files in a folder. A file whose SHA-256 does not match is never returned. */
export type ModelStore = {
  /** Looks up a model by its manifest name; null when no file has the SHA-256. */
  resolve(name: string): Promise<ResolvedModel | null>
  /** The manifest entry of the name, to report what is missing. */
  describe(name: string): ModelEntry
}

export function createModelStore(options: {
  directory: string
  logger: Logger
  manifest?: readonly ModelEntry[]
  /** Reports the files in use (`model_info`). */
  metrics?: Metrics
}): ModelStore {
  const manifest = options.manifest ?? readModelManifest()
  const resolved = new Map<string, Promise<ResolvedModel | null>>()
  const inUse = options.metrics?.gauge('model_info', 'Always 1; the model file in use is in the labels', [
    'model',
    'version',
    'sha256',
  ])

  const describe = (name: string): ModelEntry => {
    const entry = manifest.find((item) => item.name === name)
    if (!entry) throw new Error(`models.lock.json has no model ${name}`)
    return entry
  }
  const find = async (entry: ModelEntry): Promise<ResolvedModel | null> => {
    for (const path of await candidates(options.directory, entry)) {
      if ((await sha256OfFile(path)) === entry.sha256) {
        return { name: entry.name, path, version: entry.version, sha256: entry.sha256 }
      }
      options.logger.warn('a model file does not have the sum of its name and is not loaded', {
        model: entry.name,
      })
    }
    return null
  }
  return {
    describe,
    async resolve(name) {
      const pending = resolved.get(name) ?? find(describe(name))
      resolved.set(name, pending)
      const found = await pending
      // A missing file may be added later.
      if (!found) resolved.delete(name)
      else inUse?.set({ model: name, version: found.version, sha256: found.sha256.slice(0, 12) }, 1)
      return found
    },
  }
}

/** Files of the right size: first the one with the default name, then any other (identified by its SHA-256). */
async function candidates(directory: string, entry: ModelEntry): Promise<string[]> {
  let names: string[]
  try {
    names = await readdir(directory)
  } catch {
    return []
  }
  const ordered = [...names].sort((a, b) => Number(b === entry.file) - Number(a === entry.file))
  const sizes = await Promise.all(
    ordered.map(async (name) => {
      const info = await stat(join(directory, name)).catch(() => undefined)
      return info?.isFile() && (info.size === entry.bytes || name === entry.file)
        ? join(directory, name)
        : undefined
    }),
  )
  return sizes.filter((path) => path !== undefined)
}

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
