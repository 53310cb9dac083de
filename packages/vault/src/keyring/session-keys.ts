import { randomBytes, timingSafeEqual } from 'node:crypto'
import { ExpiringMap } from '@kyc/runtime'
import { keyBytes, openBytes, sealBytes } from '../envelope/aead.ts'
import { decodeWrappedKey, encodeWrappedKey } from '../envelope/key.ts'
import { valueKeyOf } from '../envelope/value.ts'
import { VaultIntegrityError, VaultKeyDestroyedError } from '../errors.ts'
import type { Ledger } from '../ledger.ts'
import { lengthPrefixed, names, type Scope, scopeKey } from '../scope.ts'
import type { ObjectStore } from '../store/object-store.ts'
import { type AppKeys, versionOf } from './app-keys.ts'

const maxRemembered = 10_000

export const destroyed = () =>
  new VaultKeyDestroyedError('The data key of this session was destroyed, or there never was one.')

/** A session's unwrapped data key. After its destruction it is unusable, even for code that still references it. */
export class SessionKey {
  readonly #dataKey: Buffer
  readonly #valueKey: Buffer
  #destroyed = false

  constructor(dataKey: Buffer) {
    this.#dataKey = dataKey
    this.#valueKey = valueKeyOf(dataKey)
  }

  get dataKey(): Buffer {
    this.assertAlive()
    return this.#dataKey
  }

  get valueKey(): Buffer {
    this.assertAlive()
    return this.#valueKey
  }

  assertAlive = (): void => {
    if (this.#destroyed) throw destroyed()
  }

  holds(dataKey: Buffer): boolean {
    return !this.#destroyed && timingSafeEqual(this.#dataKey, dataKey)
  }

  destroy(): void {
    this.#destroyed = true
    this.#dataKey.fill(0)
    this.#valueKey.fill(0)
  }
}

type Parts = {
  store: ObjectStore
  ledger: Ledger
  appKeys: AppKeys
  cache: { ttlMs: number; now: () => number }
}

export type RewrapOutcome = 'rewrapped' | 'current' | 'gone'

/** The data keys of sessions: one per session, created when first needed and permanently destroyed by a purge. */
export function createSessionKeys({ store, ledger, appKeys, cache }: Parts) {
  const keys = new ExpiringMap<SessionKey | undefined>(cache)

  // One object per session and process, so that destroying it also affects uploads and downloads in progress.
  const inUse = new Map<string, WeakRef<SessionKey>>()
  const collected = new FinalizationRegistry<string>((name) => {
    if (!inUse.get(name)?.deref()) inUse.delete(name)
  })

  // A load in progress while its session was destroyed must not put the key back into memory. Later loads check the
  // ledger, so only the latest sessions are remembered here.
  const destroyedHere = new Set<string>()
  function remember(name: string): void {
    destroyedHere.add(name)
    if (destroyedHere.size > maxRemembered) destroyedHere.delete(destroyedHere.values().next().value!)
  }

  function shared(scope: Scope, dataKey: Buffer): SessionKey | undefined {
    const name = scopeKey(scope)
    if (destroyedHere.has(name)) return undefined
    const held = inUse.get(name)?.deref()
    if (held?.holds(dataKey)) return held
    const key = new SessionKey(dataKey)
    inUse.set(name, new WeakRef(key))
    collected.register(key, name)
    return key
  }

  const aadOf = (scope: Scope) => lengthPrefixed('kyc-vault/1/data-key', scope.app_id, scope.session_id)

  async function wrap(scope: Scope, dataKey: Buffer): Promise<{ version: number; bytes: Buffer }> {
    const version = await appKeys.newestVersion(scope.app_id)
    const appKey = await appKeys.wrappingKey(scope.app_id, version)
    // A rotation deleted the key between the two reads, so there is a newer one.
    if (!appKey) return wrap(scope, dataKey)
    const wrapped = sealBytes(appKey, dataKey, aadOf(scope))
    return { version, bytes: encodeWrappedKey({ wrapper: 'app_key', keyId: String(version), wrapped }) }
  }

  /** Reads again when a rotation deleted the app key after the data key was read. */
  async function readUnwrapped(
    scope: Scope,
    attempt = 1,
  ): Promise<{ version: number; key: Buffer } | undefined> {
    const bytes = await store.read(names.sessionKey(scope))
    if (!bytes) return undefined
    const stored = decodeWrappedKey(bytes, 'app_key')
    const version = versionOf(stored.keyId)
    const appKey = await appKeys.wrappingKey(scope.app_id, version)
    if (!appKey) {
      if (attempt < 3) return readUnwrapped(scope, attempt + 1)
      throw new VaultIntegrityError("The app's key that wraps a session's data key is missing.")
    }
    const failure = "A session's data key does not open under its app's key: damaged, or another session's."
    const key = openBytes(appKey, stored.wrapped, aadOf(scope), failure)
    if (key.length !== keyBytes) throw new VaultIntegrityError('A stored key has a wrong length.')
    return { version, key }
  }

  /**
   * Called after a data key was stored. Wraps it again if a rotation created a newer app key meanwhile (the rotation
   * may have listed the sessions before this one existed), and deletes it if the session was purged meanwhile.
   */
  async function settle(scope: Scope, dataKey: Buffer, stored: number): Promise<boolean> {
    for (let version = stored; (await appKeys.newestVersion(scope.app_id)) !== version; ) {
      const again = await wrap(scope, dataKey)
      await store.write(names.sessionKey(scope), [again.bytes], 'replace')
      version = again.version
    }
    if (!(await ledger.has(scope))) return true
    await store.delete(names.sessionKey(scope))
    return false
  }

  /** A key that a restored backup brought back is rejected, because the ledger has its session. */
  async function load(scope: Scope): Promise<SessionKey | undefined> {
    const stored = await readUnwrapped(scope)
    if (!stored || (await ledger.has(scope))) return undefined
    return shared(scope, stored.key)
  }

  /**
   * Checks the ledger before and after. A purge writes the ledger first and deletes the key next, so either the purge
   * sees this key and deletes it, or this function sees the ledger entry and deletes it.
   */
  async function create(scope: Scope): Promise<SessionKey | undefined> {
    if (await ledger.has(scope)) return undefined
    const dataKey = randomBytes(keyBytes)
    const { version, bytes } = await wrap(scope, dataKey)
    if ((await store.write(names.sessionKey(scope), [bytes], 'create')) === 'exists') return load(scope)
    const kept = await settle(scope, dataKey, version)
    if (!kept) return undefined
    return shared(scope, dataKey)
  }

  const loaded = (scope: Scope) => keys.get(scopeKey(scope), () => load(scope))

  return {
    /** The key of a session that has one. Throws `VaultKeyDestroyedError` otherwise. */
    async existing(scope: Scope): Promise<SessionKey> {
      const key = await loaded(scope)
      if (!key) throw destroyed()
      return key
    },

    /** The key of a session, created if it never had one. Throws `VaultKeyDestroyedError` when it was purged. */
    async existingOrNew(scope: Scope): Promise<SessionKey> {
      const key = (await loaded(scope)) ?? (await keys.set(scopeKey(scope), create(scope)))
      if (!key) throw destroyed()
      return key
    },

    isStored: (scope: Scope) => store.exists(names.sessionKey(scope)),

    /** Destroys the key in memory and deletes the stored one. Returns true when one was stored. */
    async destroy(scope: Scope): Promise<boolean> {
      const name = scopeKey(scope)
      remember(name)
      keys.delete(name)
      inUse.get(name)?.deref()?.destroy()
      return store.delete(names.sessionKey(scope))
    },

    /**
     * Wraps a stored data key under the app's newest key. The data key, and everything encrypted with it, does not
     * change.
     */
    async rewrap(scope: Scope, newest: number): Promise<RewrapOutcome> {
      const stored = await readUnwrapped(scope)
      if (!stored) return 'gone'
      if (stored.version >= newest) return 'current'
      const { version, bytes } = await wrap(scope, stored.key)
      await store.write(names.sessionKey(scope), [bytes], 'replace')
      return (await settle(scope, stored.key, version)) ? 'rewrapped' : 'gone'
    },
  }
}

export type SessionKeys = ReturnType<typeof createSessionKeys>
