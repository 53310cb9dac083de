import { randomBytes } from 'node:crypto'
import { keyBytes } from '../envelope/aead.ts'
import { decodeWrappedKey, encodeWrappedKey } from '../envelope/key.ts'
import { VaultIntegrityError } from '../errors.ts'
import type { KeyEncryptionKeys } from '../keys/key-encryption-keys.ts'
import { lengthPrefixed } from '../scope.ts'
import type { ObjectStore } from '../store/object-store.ts'

/** A key wrapped by the key-encryption key is bound to the name under which it is stored. */
const aadOf = (name: string) => lengthPrefixed('kyc-vault/1/key', name)

/** Wraps the keys of apps with the key-encryption key. The keys are 32 random bytes. */
export function createWrapping(store: ObjectStore, keys: KeyEncryptionKeys) {
  async function wrapped(name: string, key: Buffer): Promise<{ keyId: string; bytes: Buffer }> {
    const { keyId, wrapped } = await keys.wrap(key, aadOf(name))
    return { keyId, bytes: encodeWrappedKey({ wrapper: 'key_encryption_key', keyId, wrapped }) }
  }

  async function read(name: string): Promise<{ keyId: string; key: Buffer } | undefined> {
    const bytes = await store.read(name)
    if (!bytes) return undefined
    const stored = decodeWrappedKey(bytes, 'key_encryption_key')
    const key = await keys.unwrap(stored.keyId, stored.wrapped, aadOf(name))
    if (key.length !== keyBytes) throw new VaultIntegrityError('A stored key has a wrong length.')
    return { keyId: stored.keyId, key }
  }

  return {
    read,

    /** Creates a key under `name`, or returns the one that another process created first. */
    async create(name: string): Promise<{ key: Buffer; keyId: string; created: boolean }> {
      const key = randomBytes(keyBytes)
      const { keyId, bytes } = await wrapped(name, key)
      if ((await store.write(name, [bytes], 'create')) === 'written') return { key, keyId, created: true }
      const winner = await read(name)
      if (!winner) throw new VaultIntegrityError('A key vanished while it was being made.')
      return { ...winner, created: false }
    },

    /** Wraps the key of `name` under the current key-encryption key. Returns true when it was under another. */
    async rewrap(name: string): Promise<boolean> {
      const stored = await read(name)
      if (!stored || stored.keyId === (await keys.currentId())) return false
      await store.write(name, [(await wrapped(name, stored.key)).bytes], 'replace')
      return true
    },
  }
}

export type Wrapping = ReturnType<typeof createWrapping>
