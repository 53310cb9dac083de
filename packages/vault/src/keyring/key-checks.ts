import { createHash } from 'node:crypto'
import { VaultError, VaultKeyUnavailableError } from '../errors.ts'
import type { KeyEncryptionKeys } from '../keys/key-encryption-keys.ts'
import { names } from '../scope.ts'
import type { ObjectStore } from '../store/object-store.ts'
import type { Wrapping } from './wrapping.ts'

/** Key ids may contain any character, object names may not. */
const nameOf = (keyId: string) =>
  names.keyCheck(createHash('sha256').update(keyId).digest('hex').slice(0, 32))

/**
 * One random key is stored wrapped under every key-encryption key in use. Opening it at startup shows whether the
 * configured keys are those of this vault, before anything is written under a wrong one.
 */
export function createKeyChecks(store: ObjectStore, keys: KeyEncryptionKeys, wrapping: Wrapping) {
  const known = new Set<string>()

  return {
    /** Called before anything is wrapped. Stores the check key of the current key once. */
    async mark(): Promise<void> {
      const current = await keys.currentId()
      if (known.has(current)) return
      await wrapping.create(nameOf(current))
      known.add(current)
    },

    /** Throws `VaultKeyUnavailableError` unless every key in use by this vault can be opened. */
    async verify(): Promise<void> {
      for await (const child of store.children(names.keyChecks)) {
        try {
          await wrapping.read(`${names.keyChecks}/${child}`)
        } catch (error) {
          if (error instanceof VaultKeyUnavailableError || !(error instanceof VaultError)) throw error
          throw new VaultKeyUnavailableError(
            `This vault was not written under the configured key-encryption keys: ${error.message}`,
            error,
          )
        }
      }
    },

    /** After a rotation nothing is wrapped by other keys than the current one, so the others are no longer needed. */
    async forgetOthers(): Promise<number> {
      const current = nameOf(await keys.currentId())
      const marks: string[] = []
      for await (const child of store.children(names.keyChecks)) marks.push(`${names.keyChecks}/${child}`)
      const others = marks.filter((name) => name !== current)
      for (const name of others) await store.delete(name)
      return others.length
    },
  }
}
