import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SessionConfig } from '../config.ts'

const manifest = z.object({ version: z.string() })
const { version } = manifest.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
)

/** The version of the code that signs: the release, and the commit if the build sets one. */
export const codeVersion = (config: SessionConfig) => ({ version, commit: config.CODE_COMMIT ?? null })
