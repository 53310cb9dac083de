import { z } from 'zod'
import { VaultIntegrityError, VaultKeyUnavailableError } from '../errors.ts'
import type { KeyEncryptionKeys } from './key-encryption-keys.ts'

export type TransitOptions = {
  /** Base URL of the key manager, without a path: `https://vault.internal:8200`. */
  address: string
  /** Called before every request, so that a renewed token is used. */
  token: () => string | Promise<string>
  /** Name of the encryption key (type `aes256-gcm96`, `chacha20-poly1305` or another with associated data). */
  keyName: string
  /** Where the secrets engine is mounted. */
  mount?: string
  namespace?: string
  timeoutMs?: number
}

const encrypted = z.object({ data: z.object({ ciphertext: z.string().regex(/^vault:v[1-9][0-9]*:/) }) })
const decrypted = z.object({ data: z.object({ plaintext: z.base64() }) })
const failed = z.object({ errors: z.array(z.string()) })

/** The text of a 400 response when the ciphertext or its associated data was altered. */
const damagePattern = /message authentication failed|invalid ciphertext|could not decode/i

/**
 * Key-encryption keys in a key manager with the HTTP API of HashiCorp Vault's Transit secrets engine
 * (https://developer.hashicorp.com/vault/api-docs/secret/transit): the key never enters this process. The token needs
 * only `update` on `encrypt/<key>` and `decrypt/<key>`; without `create`, a mistyped key name is rejected instead of
 * created. Rotating the key there creates a new key id here.
 */
export function transitKeys(options: TransitOptions): KeyEncryptionKeys {
  const { keyName, mount = 'transit', namespace, timeoutMs = 5_000 } = options
  for (const part of [keyName, ...mount.split('/')]) {
    if (!/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(part))
      throw new VaultKeyUnavailableError(
        'The transit mount and key name may hold letters, digits, _ . - only.',
      )
  }
  const address = new URL(options.address)
  const idOf = (ciphertext: string) => `${mount}/${keyName}:${ciphertext.split(':')[1]}`

  async function call<T>(action: 'encrypt' | 'decrypt', body: object, schema: z.ZodType<T>): Promise<T> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'x-vault-request': 'true',
      'x-vault-token': await options.token(),
      ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
    }
    const url = new URL(`/v1/${mount}/${action}/${keyName}`, address)
    let status: number
    let answer: unknown
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        // A redirect would send the token to another host.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      status = response.status
      answer = await response.json().catch(() => undefined)
    } catch (error) {
      throw new VaultKeyUnavailableError('The key manager cannot be reached.', error)
    }
    if (status !== 200) throw refusal(status, answer)
    const parsed = schema.safeParse(answer)
    if (!parsed.success) throw new VaultKeyUnavailableError('The key manager gave an answer that is none.')
    return parsed.data
  }

  async function wrap(plaintext: Buffer, aad: Buffer) {
    const body = { plaintext: plaintext.toString('base64'), associated_data: aad.toString('base64') }
    const { ciphertext } = (await call('encrypt', body, encrypted)).data
    return { keyId: idOf(ciphertext), wrapped: Buffer.from(ciphertext, 'ascii') }
  }

  return {
    // The version is read from a ciphertext, which needs no permission to read the key's metadata.
    currentId: async () => (await wrap(Buffer.from('version'), Buffer.from('version'))).keyId,
    wrap,
    async unwrap(keyId, wrapped, aad) {
      const ciphertext = wrapped.toString('ascii')
      if (!keyId.startsWith(`${mount}/${keyName}:`))
        throw new VaultKeyUnavailableError(`The key-encryption key "${keyId}" is not the configured one.`)
      if (keyId !== idOf(ciphertext))
        throw new VaultIntegrityError('A wrapped key names another key version.')
      const { data } = await call(
        'decrypt',
        { ciphertext, associated_data: aad.toString('base64') },
        decrypted,
      )
      return Buffer.from(data.plaintext, 'base64')
    },
  }
}

function refusal(status: number, answer: unknown): VaultIntegrityError | VaultKeyUnavailableError {
  const parsed = failed.safeParse(answer)
  const said = parsed.success ? parsed.data.errors.join('; ').trim().slice(0, 300) : ''
  if (status === 400 && damagePattern.test(said))
    return new VaultIntegrityError(
      'A wrapped key does not open in the key manager: damaged, or of another place.',
    )
  return new VaultKeyUnavailableError(`The key manager refused (${status})${said ? `: ${said}` : ''}.`)
}
