import type { Logger } from '@kyc/runtime'
import type { SessionKeys } from './keyring/session-keys.ts'
import type { Ledger } from './ledger.ts'
import { names, type Scope } from './scope.ts'
import type { ObjectStore } from './store/object-store.ts'

/**
 * `files_deleted`: files deleted by this call. `key_destroyed`: the session had a data key, and this call or an earlier
 * one destroyed it.
 */
export type Destroyed = { files_deleted: number; key_destroyed: boolean }

type Parts = {
  store: ObjectStore
  ledger: Ledger
  sessionKeys: SessionKeys
  now: () => Date
  logger: Logger | undefined
}

export function createDestroy({ store, ledger, sessionKeys, now, logger }: Parts) {
  /** A full disk must not prevent a purge. Without room for the ledger entry, deleting the data first makes room. */
  async function appendOrPostpone(scope: Scope, hadKey: boolean): Promise<boolean> {
    try {
      await ledger.append(scope, now(), hadKey)
      return true
    } catch (error) {
      logger?.warn('The purge ledger cannot be written yet; deleting first', { ...scope, error })
      return false
    }
  }

  async function deleteFiles(scope: Scope): Promise<number> {
    let deleted = 0
    for await (const { name } of store.list(names.objects(scope))) if (await store.delete(name)) deleted++
    return deleted
  }

  /**
   * Writes the ledger, then deletes the key, then the files. Throws unless all of it succeeds, and can be called again.
   */
  return async function destroy(scope: Scope): Promise<Destroyed> {
    const before = await ledger.read(scope)
    const hadKey = (await sessionKeys.isStored(scope)) || (before?.had_key ?? false)
    const written = before !== undefined || (await appendOrPostpone(scope, hadKey))
    await sessionKeys.destroy(scope)
    const files_deleted = await deleteFiles(scope)
    if (!written) await ledger.append(scope, now(), hadKey)
    return { files_deleted, key_destroyed: hadKey }
  }
}
