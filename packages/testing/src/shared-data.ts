import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * The folder of evaluation data next to the repository, or null: tests that measure with it are then reported as
 * skipped.
 */
export function sharedDir(...parts: string[]): string | null {
  const base = process.env.KYC_SHARED_DIR ?? join(root, '..', 'shared')
  const path = join(base, ...parts)
  return existsSync(path) ? path : null
}

/** The folder of model weights for tests that need them, or null. */
export const modelsDir = (): string | null => process.env.MODELS_DIR ?? sharedDir('models')
