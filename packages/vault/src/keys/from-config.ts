import { randomBytes } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { z } from 'zod'
import { keyBytes, openBytes, sealBytes } from '../envelope/aead.ts'
import { VaultKeyUnavailableError } from '../errors.ts'
import type { KeyEncryptionKeys } from './key-encryption-keys.ts'

const base64Key = z
  .string()
  .refine((text) => /^[A-Za-z0-9+/]{43}=$/.test(text), 'must be 32 bytes in base64 (44 characters)')
  .refine((text) => new Set(Buffer.from(text, 'base64')).size > 8, 'must be random bytes')
const keyEntry = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ . -'),
  key: base64Key,
})

/** The configured key-encryption keys: one that wraps, and older ones that only unwrap. */
export const keyConfigSchema = z
  .strictObject({ current: keyEntry, previous: z.array(keyEntry).default([]) })
  .refine(({ current, previous }) => {
    const ids = [current, ...previous].map(({ id }) => id)
    return new Set(ids).size === ids.length
  }, 'two keys have the same id')
export type KeyConfig = z.input<typeof keyConfigSchema>

/**
 * Key-encryption keys in this process, each 32 random bytes in base64. Throws `VaultKeyUnavailableError` with the name
 * of the invalid field, never its value.
 */
export function keysFromConfig(config: KeyConfig): KeyEncryptionKeys {
  const parsed = keyConfigSchema.safeParse(config)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim())
    throw new VaultKeyUnavailableError(`The key-encryption keys are not usable: ${faults.join('; ')}.`)
  }
  const { current, previous } = parsed.data
  const keys = new Map([current, ...previous].map(({ id, key }) => [id, Buffer.from(key, 'base64')]))
  return {
    currentId: async () => current.id,
    wrap: async (plaintext, aad) => ({
      keyId: current.id,
      wrapped: sealBytes(keys.get(current.id)!, plaintext, aad),
    }),
    async unwrap(keyId, wrapped, aad) {
      const key = keys.get(keyId)
      if (!key)
        throw new VaultKeyUnavailableError(
          `The key-encryption key "${keyId}" is not configured. Add it to the previous keys, then rotate.`,
        )
      return openBytes(key, wrapped, aad, `A wrapped key does not open under key-encryption key "${keyId}".`)
    },
  }
}

/**
 * Reads `{ "current": { "id", "key" }, "previous": [] }` from a file. With `createIfMissing`, the first start creates
 * the file (mode 0600) with a new random key, for development and single machines.
 */
export async function keysFromFile(
  path: string,
  options: { createIfMissing?: boolean } = {},
): Promise<KeyEncryptionKeys> {
  if (options.createIfMissing) await createKeyFile(path)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new VaultKeyUnavailableError('The file of key-encryption keys cannot be read.', error)
  }
  let config: KeyConfig
  try {
    config = JSON.parse(text) as KeyConfig
  } catch {
    // The parser's message quotes the text, which contains keys.
    throw new VaultKeyUnavailableError('The file of key-encryption keys is not JSON.')
  }
  return keysFromConfig(config)
}

/**
 * Written to a temporary file and linked into place, so that only one of two concurrent first starts creates the file
 * and no process reads a partial one.
 */
async function createKeyFile(path: string): Promise<void> {
  const id = `k-${randomBytes(4).toString('hex')}`
  const config: KeyConfig = { current: { id, key: randomBytes(keyBytes).toString('base64') }, previous: [] }
  const temp = `${path}.${randomBytes(8).toString('hex')}`
  try {
    const file = await open(temp, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(config, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(temp, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new VaultKeyUnavailableError('The file of key-encryption keys cannot be made.', error)
  } finally {
    await unlink(temp).catch(() => undefined)
  }
}
