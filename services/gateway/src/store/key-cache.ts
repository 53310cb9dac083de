import { type Clock, createBatchedLookup, type Database, type Logger } from '@kyc/runtime'
import { LRUCache } from 'lru-cache'
import { findKeysByHash, type KeyRecord, markUsed, revokedSince } from './api-keys.ts'

const capacity = 20_000
/** A notification applies a revocation immediately; without that connection it applies within this time. */
const lookForRevocationsMs = 500
const writeUsesMs = 10_000

/** An in-memory cache of keys. A revoked key is removed within a second of its revocation on any replica. */
export function createKeyCache(options: { database: Database; clock: Clock; logger: Logger }) {
  const { database, clock, logger } = options
  // Contains live keys only, so that unknown ones cannot displace them.
  const keys = new LRUCache<string, KeyRecord>({ max: capacity })
  const lookup = createBatchedLookup((hashes) => findKeysByHash(database, hashes))
  const uses = new Map<string, Date>()
  let lookedAt = clock.now()
  let timers: NodeJS.Timeout[] = []
  let unlisten: (() => Promise<void>) | undefined

  const lookForRevocations = async () => {
    const now = clock.now()
    // The clocks of replicas and of the database differ slightly, so look back further than the last check.
    const since = new Date(lookedAt.getTime() - 30_000)
    try {
      for (const hash of await revokedSince(database, since)) keys.delete(hash)
      lookedAt = now
    } catch (error) {
      // Without the database, revocations are unknown, so all keys must be looked up again.
      keys.clear()
      logger.warn('revocations could not be looked up', { error })
    }
  }
  const writeUses = async () => {
    if (uses.size === 0) return
    const written = new Map(uses)
    uses.clear()
    await markUsed(database, written).catch((error: unknown) =>
      logger.warn('uses of keys could not be written', { error }),
    )
  }
  const isLive = (key: KeyRecord, now: Date) => !key.revoked_at && !(key.expires_at && key.expires_at <= now)

  return {
    /** The live key with this hash (hex), or undefined if it is unknown, expired or revoked. */
    async find(hash: string): Promise<KeyRecord | undefined> {
      const now = clock.now()
      let key = keys.get(hash)
      if (!key) {
        key = await lookup(hash)
        if (key && isLive(key, now)) keys.set(hash, key)
      }
      if (!key || !isLive(key, now)) return undefined
      uses.set(key.id, now)
      return key
    },
    async start() {
      unlisten = await database.listen('gateway_api_key', (hash) =>
        hash === '' ? keys.clear() : keys.delete(hash),
      )
      timers = [
        setInterval(() => void lookForRevocations(), lookForRevocationsMs),
        setInterval(() => void writeUses(), writeUsesMs),
      ]
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await unlisten?.()
      await writeUses()
    },
  }
}
export type KeyCache = ReturnType<typeof createKeyCache>
