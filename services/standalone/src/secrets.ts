import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { randomText } from '@kyc/runtime'
import { z } from 'zod'

const secrets = z.object({ vault_key: z.string(), result_token_secret: z.string() })
export type Secrets = z.infer<typeof secrets>

/** Keys that this installation made for itself at its first start. Losing them loses what they encrypt. */
export async function loadSecrets(file: string): Promise<Secrets> {
  if (existsSync(file)) return secrets.parse(JSON.parse(await readFile(file, 'utf8')))
  const made: Secrets = { vault_key: randomBytes(32).toString('base64'), result_token_secret: randomText(48) }
  await writePrivately(file, made)
  return made
}

/** Whole or not at all, readable by the owner alone. */
export async function writePrivately(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const partial = `${file}.part`
  await writeFile(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  await rename(partial, file)
}
