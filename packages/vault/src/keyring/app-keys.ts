import { ExpiringMap } from '@kyc/runtime'
import { deriveKey } from '../envelope/aead.ts'
import { valueKeyOf } from '../envelope/value.ts'
import { VaultIntegrityError } from '../errors.ts'
import { lengthPrefixed, names } from '../scope.ts'
import type { ObjectStore } from '../store/object-store.ts'
import type { createKeyChecks } from './key-checks.ts'
import type { Wrapping } from './wrapping.ts'

/**
 * The keys derived from an app's root secret. The root secret never changes, so hashes and sealed settings stay valid.
 */
export type AppRoot = { valueKey: Buffer; hashKey(purpose: string): Buffer }

type Parts = {
  store: ObjectStore
  wrapping: Wrapping
  keyChecks: ReturnType<typeof createKeyChecks>
  cache: { ttlMs: number; now: () => number }
}

/**
 * The keys of apps: a root secret for hashes and settings, and numbered keys that wrap the data keys of sessions. Only
 * the newest key wraps. Older ones only unwrap, until a rotation has re-wrapped their data keys and deleted them.
 */
export function createAppKeys({ store, wrapping, keyChecks, cache }: Parts) {
  const wrappers = new ExpiringMap<Buffer | undefined>(cache)
  const roots = new ExpiringMap<AppRoot | undefined>(cache)

  async function versions(app_id: string): Promise<number[]> {
    const found: number[] = []
    for await (const child of store.children(names.appKeys(app_id)))
      if (/^[1-9][0-9]{0,8}$/.test(child)) found.push(Number(child))
    return found.sort((a, b) => a - b)
  }

  async function createVersion(app_id: string, version: number): Promise<void> {
    await keyChecks.mark()
    await wrapping.create(names.appKey(app_id, version))
  }

  async function createRoot(app_id: string): Promise<AppRoot> {
    await keyChecks.mark()
    return rootOf((await wrapping.create(names.appRoot(app_id))).key)
  }

  async function loadRoot(app_id: string): Promise<AppRoot | undefined> {
    const stored = await wrapping.read(names.appRoot(app_id))
    return stored && rootOf(stored.key)
  }

  function rootOf(key: Buffer): AppRoot {
    const hashKeys = new Map<string, Buffer>()
    return {
      valueKey: valueKeyOf(key),
      hashKey(purpose) {
        let hashKey = hashKeys.get(purpose)
        if (!hashKey) {
          hashKey = deriveKey(key, Buffer.alloc(0), lengthPrefixed('kyc-vault/1/hash', purpose))
          hashKeys.set(purpose, hashKey)
        }
        return hashKey
      },
    }
  }

  return {
    versions,
    createVersion,

    /** The version to wrap under, read without a cache. Creates an app's first key. */
    async newestVersion(app_id: string): Promise<number> {
      const newest = (await versions(app_id)).at(-1)
      if (newest !== undefined) return newest
      await createVersion(app_id, 1)
      return 1
    },

    /** The 32-byte key of one version. Undefined when a rotation has deleted it. */
    wrappingKey: (app_id: string, version: number): Promise<Buffer | undefined> =>
      wrappers.get(`${app_id}/${version}`, async () => {
        const stored = await wrapping.read(names.appKey(app_id, version))
        return stored?.key
      }),

    /** Undefined when the app has no root, which means that nothing was ever sealed or hashed for it. */
    existingRoot: (app_id: string) => roots.get(app_id, () => loadRoot(app_id)),

    async root(app_id: string): Promise<AppRoot> {
      const existing = await roots.get(app_id, () => loadRoot(app_id))
      return existing ?? roots.set(app_id, createRoot(app_id))
    },

    rewrapRoot: (app_id: string): Promise<boolean> => wrapping.rewrap(names.appRoot(app_id)),

    async deleteVersion(app_id: string, version: number): Promise<void> {
      await store.delete(names.appKey(app_id, version))
      wrappers.delete(`${app_id}/${version}`)
    },
  }
}

export type AppKeys = ReturnType<typeof createAppKeys>

/** App key versions are stored as decimal ids in the wrapped keys of sessions. */
export function versionOf(keyId: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(keyId)) throw new VaultIntegrityError('A stored key names no version.')
  return Number(keyId)
}
