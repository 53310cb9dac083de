import type { Logger } from '@kyc/runtime'
import { VaultError, VaultKeyUnavailableError, VaultStorageError } from './errors.ts'
import type { AppKeys } from './keyring/app-keys.ts'
import type { createKeyChecks } from './keyring/key-checks.ts'
import type { SessionKeys } from './keyring/session-keys.ts'
import type { Wrapping } from './keyring/wrapping.ts'
import { names } from './scope.ts'
import type { ObjectStore } from './store/object-store.ts'

/**
 * `failed`: number of keys that could not be opened (damaged). The keys that wrap them are retained, and older
 * key-encryption keys are still needed.
 */
export type Rotated = {
  apps: number
  session_keys_rewrapped: number
  app_keys_deleted: number
  failed: number
}

type Parts = {
  store: ObjectStore
  wrapping: Wrapping
  keyChecks: ReturnType<typeof createKeyChecks>
  appKeys: AppKeys
  sessionKeys: SessionKeys
  logger: Logger | undefined
}

const concurrency = 8
const maxPasses = 10

export function createRotate({ store, wrapping, keyChecks, appKeys, sessionKeys, logger }: Parts) {
  async function rewrapSessions(app_id: string, newest: number) {
    let rewrapped = 0
    let failed = 0
    await eachOf(store.children(names.sessions(app_id)), async (session_id) => {
      const scope = { app_id, session_id }
      try {
        if ((await sessionKeys.rewrap(scope, newest)) === 'rewrapped') rewrapped++
      } catch (error) {
        rethrowUnlessDamage(error)
        failed++
        logger?.error("A session's data key cannot be opened", { ...scope, error })
      }
    })
    return { rewrapped, failed }
  }

  /** Sessions can be created under the old key during the first pass, so passes repeat until one finds nothing. */
  async function emptyOldKeys(app_id: string, newest: number) {
    let total = 0
    for (let pass = 1; pass <= maxPasses; pass++) {
      const { rewrapped, failed } = await rewrapSessions(app_id, newest)
      total += rewrapped
      if (rewrapped === 0) return { rewrapped: total, failed }
    }
    return { rewrapped: total, failed: 1 }
  }

  async function rotateApp(app_id: string): Promise<Omit<Rotated, 'apps'>> {
    await appKeys.rewrapRoot(app_id)
    const old = await appKeys.versions(app_id)
    const newest = (old.at(-1) ?? 0) + 1
    await appKeys.createVersion(app_id, newest)
    const { rewrapped, failed } = await emptyOldKeys(app_id, newest)
    for (const version of old) {
      if (failed > 0) await wrapping.rewrap(names.appKey(app_id, version))
      else await appKeys.deleteVersion(app_id, version)
    }
    return { session_keys_rewrapped: rewrapped, app_keys_deleted: failed > 0 ? 0 : old.length, failed }
  }

  return async function rotate(): Promise<Rotated> {
    const total: Rotated = { apps: 0, session_keys_rewrapped: 0, app_keys_deleted: 0, failed: 0 }
    await keyChecks.mark()
    for await (const app_id of store.children(names.apps)) {
      total.apps++
      try {
        const { session_keys_rewrapped, app_keys_deleted, failed } = await rotateApp(app_id)
        total.session_keys_rewrapped += session_keys_rewrapped
        total.app_keys_deleted += app_keys_deleted
        total.failed += failed
      } catch (error) {
        rethrowUnlessDamage(error)
        total.failed++
        logger?.error("An app's keys cannot be opened", { app_id, error })
      }
    }
    if (total.failed === 0) await keyChecks.forgetOthers()
    return total
  }
}

/** Damage affects one session. An unavailable key manager or disk affects all of them and aborts the run. */
function rethrowUnlessDamage(error: unknown): void {
  const everybodys = error instanceof VaultKeyUnavailableError || error instanceof VaultStorageError
  if (everybodys || !(error instanceof VaultError)) throw error
}

async function eachOf(items: AsyncIterable<string>, work: (item: string) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  const lane = async () => {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}
