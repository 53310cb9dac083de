import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { randomText } from '@kyc/runtime'
import { z } from 'zod'

const secrets = z.object({
  vault_key: z.string(),
  result_token_secret: z.string(),
  /** Ed25519, JWK as JSON. */
  audit_signing_key: z.string(),
})
export type Secrets = z.infer<typeof secrets>

/** Keys that this installation generated on its first start. Without them, the data that they encrypt is lost. */
export async function loadSecrets(file: string): Promise<Secrets> {
  const known: Partial<Secrets> = existsSync(file)
    ? secrets.partial().parse(JSON.parse(await readFile(file, 'utf8')))
    : {}
  // A key that an earlier release did not need is generated when it is missing.
  const whole: Secrets = {
    vault_key: known.vault_key ?? randomBytes(32).toString('base64'),
    result_token_secret: known.result_token_secret ?? randomText(48),
    audit_signing_key: known.audit_signing_key ?? newSigningKey(),
  }
  if (!secrets.safeParse(known).success) await writePrivately(file, whole)
  return whole
}

const newSigningKey = (): string =>
  JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))

/** Writes the file atomically, readable by the owner only. */
export async function writePrivately(file: string, value: unknown): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const partial = `${file}.part`
  // A mode applies to new files only, so remove a leftover from an interrupted start, or a planted link, first.
  await rm(partial, { force: true })
  await writeFile(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(partial, file)
}
