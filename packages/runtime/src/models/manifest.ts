import { readFileSync } from 'node:fs'
import { z } from 'zod'

const modelEntry = z.strictObject({
  /** The name by which code requests the model. */
  name: z.string(),
  /** The default file name. */
  file: z.string(),
  version: z.string(),
  licence: z.string(),
  origin: z.string(),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Download URLs; empty when the operator supplies the file. */
  sources: z.array(z.url()),
  /** The feature that is unavailable without it. */
  purpose: z.string(),
})
export type ModelEntry = z.infer<typeof modelEntry>

const manifestFile = new URL('../../../../models.lock.json', import.meta.url)

/** `models.lock.json`: every model file that code may load, pinned by its SHA-256. */
export function readModelManifest(file: URL = manifestFile): ModelEntry[] {
  return z.strictObject({ models: z.array(modelEntry) }).parse(JSON.parse(readFileSync(file, 'utf8'))).models
}
