import { createHash, createHmac, webcrypto } from 'node:crypto'
import type { Clock, Logger } from '@kyc/runtime'
import { createDestroy, type Destroyed } from './destroy.ts'
import {
  decryptFile,
  decryptFileStream,
  describeFile,
  encryptFile,
  encryptFileStream,
} from './envelope/file.ts'
import { openValue, sealValue } from './envelope/value.ts'
import { VaultKeyDestroyedError, VaultObjectMissingError } from './errors.ts'
import { createHeads, type Heads } from './heads.ts'
import { createAppKeys } from './keyring/app-keys.ts'
import { createKeyChecks } from './keyring/key-checks.ts'
import { createSessionKeys, destroyed } from './keyring/session-keys.ts'
import { createWrapping } from './keyring/wrapping.ts'
import type { KeyEncryptionKeys } from './keys/key-encryption-keys.ts'
import { createLedger } from './ledger.ts'
import { createRotate, type Rotated } from './rotate.ts'
import {
  type AppScope,
  checkApp,
  checkContext,
  checkObjectId,
  checkScope,
  names,
  type Scope,
} from './scope.ts'
import type { ObjectStore } from './store/object-store.ts'

export type StoredFile = { object_id: string; size: number; sha256: string }
export type ListedFile = { object_id: string; stored_bytes: number; modified_at: Date }

export type VaultOptions = {
  store: ObjectStore
  keys: KeyEncryptionKeys
  clock: Clock
  logger?: Logger
  /**
   * The store of the purge ledger and the heads of logs, if separate from the files. It must never be restored from a
   * backup.
   */
  ledger?: ObjectStore
  /**
   * How long an unwrapped data key stays in memory. For this long, another process can still use a key that was
   * destroyed.
   */
  dataKeyCacheMs?: number
  /** How long an app's unwrapped keys stay in memory. */
  appKeyCacheMs?: number
}

/** Every call may throw `VaultStorageError` and `VaultKeyUnavailableError`; other errors are listed per call. */
export type Vault = {
  /** Call at startup, before serving. Throws when the keys are not those of this vault or the store is unsuitable. */
  check(): Promise<void>
  /** Encrypts and stores atomically, replacing an object of the same id. `VaultKeyDestroyedError` after a purge. */
  put(
    scope: Scope,
    objectId: string,
    source: Uint8Array | AsyncIterable<Uint8Array>,
    options: { contentType: string },
  ): Promise<StoredFile>
  /** The whole plaintext, authenticated. `VaultKeyDestroyedError`, `VaultObjectMissingError`, `VaultIntegrityError`. */
  get(scope: Scope, objectId: string): Promise<Buffer>
  /** As `get`, piece by piece. Each piece is authentic, but only a normal end shows that the object is complete. */
  stream(scope: Scope, objectId: string): AsyncIterable<Buffer>
  /** Content type and plaintext size, without decrypting the contents. Errors as `get`. */
  describe(scope: Scope, objectId: string): Promise<{ content_type: string; size: number }>
  /** True when there was something to delete. */
  delete(scope: Scope, objectId: string): Promise<boolean>
  list(scope: Scope): Promise<ListedFile[]>
  /**
   * Seals a small JSON value for a column. It opens only for this scope and context. `VaultKeyDestroyedError` after a
   * purge.
   */
  seal(scope: Scope, context: string, value: unknown): Promise<Buffer>
  /** Opens a sealed value. `VaultKeyDestroyedError`, `VaultIntegrityError`. The caller must validate the result. */
  open(scope: Scope, context: string, bytes: Uint8Array): Promise<unknown>
  /** As `seal`, under the app's secret, so the value outlives sessions. */
  sealForApp(app_id: string, context: string, value: unknown): Promise<Buffer>
  openForApp(app_id: string, context: string, bytes: Uint8Array): Promise<unknown>
  /**
   * HMAC-SHA256 in hex (64 characters) under a key of the app and purpose. Equal values have equal hashes only within
   * both.
   */
  keyedHash(scope: AppScope, purpose: string, value: string | Uint8Array): Promise<string>
  /** Purges a session permanently: its key, then its files. Idempotent; throws unless everything is deleted. */
  destroy(scope: Scope): Promise<Destroyed>
  /** Call after a restore, before serving: purges every session in the ledger again. */
  replayLedger(): Promise<{ purged_sessions: number; keys_destroyed: number; files_deleted: number }>
  /** Every session in the ledger, in no particular order. */
  purged(): AsyncIterable<Scope>
  /** The newest states of append-only logs, signed by their owners and stored outside the database. */
  readonly heads: Heads
  /** Creates new app keys under the current key-encryption key, re-wraps the data keys and deletes the old app keys. */
  rotate(): Promise<Rotated>
  /** Deletes leftovers of interrupted writes that are older than an hour. */
  collectOrphans(): Promise<number>
}

const orphanAgeMs = 60 * 60 * 1000
/** From this size, hashing on another thread is cheaper than on this one. */
const parallelHashBytes = 256 * 1024

export function createVault(options: VaultOptions): Vault {
  const { store, keys, clock, logger } = options
  const now = () => clock.now().getTime()
  const ledger = createLedger(options.ledger ?? store)
  const wrapping = createWrapping(store, keys)
  const keyChecks = createKeyChecks(store, keys, wrapping)
  const appCache = { ttlMs: options.appKeyCacheMs ?? 300_000, now }
  const appKeys = createAppKeys({ store, wrapping, keyChecks, cache: appCache })
  const dataCache = { ttlMs: options.dataKeyCacheMs ?? 5_000, now }
  const sessionKeys = createSessionKeys({ store, ledger, appKeys, cache: dataCache })
  const destroy = createDestroy({ store, ledger, sessionKeys, now: () => clock.now(), logger })
  const rotate = createRotate({ store, wrapping, keyChecks, appKeys, sessionKeys, logger })

  const missing = () => new VaultObjectMissingError('The key of this session is there, the object is not.')

  async function openStored(scope: Scope, objectId: string) {
    const key = await sessionKeys.existing(scope)
    const stored = await store.stream(names.object(scope, checkObjectId(objectId)))
    if (!stored) throw missing()
    return { key, stored, identity: { scope, objectId } }
  }

  return {
    async check() {
      await store.check()
      await options.ledger?.check()
      await keyChecks.verify()
      await keyChecks.mark()
    },

    async put(unchecked, objectId, source, { contentType }) {
      const scope = checkScope(unchecked)
      const name = names.object(scope, checkObjectId(objectId))
      const identity = { scope, objectId }
      const key = await sessionKeys.existingOrNew(scope)
      const measure = createMeasure()
      if (!(Symbol.asyncIterator in source)) {
        const hash = measure.whole(source)
        const pieces = encryptFile(key.dataKey, identity, contentType, source)
        await Promise.all([hash, store.write(name, pieces, 'replace')])
      } else {
        const measured = measure.passing(source)
        const pieces = encryptFileStream(key.dataKey, identity, contentType, measured, key.assertAlive)
        await store.write(name, pieces, 'replace')
      }
      // The session was purged during this write, and the purge may have listed the files before this one existed.
      if (!(await sessionKeys.isStored(scope))) {
        await store.delete(name)
        throw destroyed()
      }
      return { object_id: objectId, ...measure.result() }
    },

    async get(unchecked, objectId) {
      const scope = checkScope(unchecked)
      const key = await sessionKeys.existing(scope)
      const file = await store.read(names.object(scope, checkObjectId(objectId)))
      if (!file) throw missing()
      return decryptFile(key.dataKey, { scope, objectId }, file).plaintext
    },

    async *stream(unchecked, objectId) {
      const { key, stored, identity } = await openStored(checkScope(unchecked), objectId)
      try {
        yield* decryptFileStream(key.dataKey, identity, stored, key.assertAlive)
      } finally {
        await stored.close()
      }
    },

    async describe(unchecked, objectId) {
      const { key, stored, identity } = await openStored(checkScope(unchecked), objectId)
      try {
        const { contentType, plaintextBytes } = await describeFile(key.dataKey, identity, stored)
        return { content_type: contentType, size: plaintextBytes }
      } finally {
        await stored.close()
      }
    },

    delete: async (scope, objectId) => store.delete(names.object(checkScope(scope), checkObjectId(objectId))),

    async list(unchecked) {
      const folder = names.objects(checkScope(unchecked))
      const files: ListedFile[] = []
      for await (const { name, bytes, modified_at } of store.list(folder))
        files.push({ object_id: name.slice(folder.length + 1), stored_bytes: bytes, modified_at })
      return files.sort((a, b) => (a.object_id < b.object_id ? -1 : 1))
    },

    async seal(unchecked, context, value) {
      const scope = checkScope(unchecked)
      const place = { kind: 'session', scope, context: checkContext(context) } as const
      return sealValue((await sessionKeys.existingOrNew(scope)).valueKey, place, value)
    },

    async open(unchecked, context, bytes) {
      const scope = checkScope(unchecked)
      const place = { kind: 'session', scope, context: checkContext(context) } as const
      return openValue((await sessionKeys.existing(scope)).valueKey, place, bytes)
    },

    async sealForApp(app_id, context, value) {
      const place = { kind: 'app', app_id: checkApp(app_id), context: checkContext(context) } as const
      return sealValue((await appKeys.root(app_id)).valueKey, place, value)
    },

    async openForApp(app_id, context, bytes) {
      const place = { kind: 'app', app_id: checkApp(app_id), context: checkContext(context) } as const
      const root = await appKeys.existingRoot(app_id)
      if (!root) throw new VaultKeyDestroyedError('This app has no key: nothing was ever sealed for it.')
      return openValue(root.valueKey, place, bytes)
    },

    async keyedHash({ app_id }, purpose, value) {
      const root = await appKeys.root(checkApp(app_id))
      return createHmac('sha256', root.hashKey(checkContext(purpose)))
        .update(value)
        .digest('hex')
    },

    destroy: async (scope) => destroy(checkScope(scope)),

    async replayLedger() {
      const total = { purged_sessions: 0, keys_destroyed: 0, files_deleted: 0 }
      for await (const scope of ledger.scopes()) {
        total.purged_sessions++
        const brought = await sessionKeys.isStored(scope)
        const { files_deleted } = await destroy(scope)
        total.keys_destroyed += brought ? 1 : 0
        total.files_deleted += files_deleted
      }
      return total
    },

    purged: () => ledger.scopes(),

    heads: createHeads(options.ledger ?? store),

    rotate,

    collectOrphans: () => store.collectOrphans(new Date(now() - orphanAgeMs)),
  }
}

/** Measures size and SHA-256 of the plaintext while it is streamed. */
function createMeasure() {
  let size = 0
  let sha256 = ''
  return {
    async whole(bytes: Uint8Array): Promise<void> {
      size = bytes.length
      if (size < parallelHashBytes) sha256 = createHash('sha256').update(bytes).digest('hex')
      else sha256 = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
    },
    async *passing(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      const hash = createHash('sha256')
      for await (const chunk of source) {
        size += chunk.length
        hash.update(chunk)
        yield chunk
      }
      sha256 = hash.digest('hex')
    },
    result: () => ({ size, sha256 }),
  }
}
