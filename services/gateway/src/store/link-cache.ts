import type { Bus } from '@kyc/bus'
import { findFlowLinks, UnavailableError } from '@kyc/common'
import { createBatchedLookup, sha256Hex } from '@kyc/runtime'
import { LRUCache } from 'lru-cache'

const capacity = 50_000
/** Also how long a link that was purged meanwhile is still forwarded; the flow then answers 404. */
const knownMs = 10 * 60_000

/**
 * Which flow tokens exist. The limit on guesses needs to know before it counts, so that a person with a valid link is never refused
 * because of guesses from the same address. Only tokens that exist are cached: guesses cannot displace them.
 */
export function createLinkCache(bus: Bus) {
  const known = new LRUCache<string, true>({ max: capacity, ttl: knownMs })
  const lookup = createBatchedLookup(async (hashes) => {
    const found = await bus.request(findFlowLinks, { token_sha256: [...hashes] })
    return new Map(found.known.map((hash) => [hash, true]))
  })

  return {
    /** The token's hash where the token exists. @throws UnavailableError when that cannot be found out. */
    async find(token: string): Promise<string | undefined> {
      const hash = sha256Hex(token)
      if (known.has(hash)) return hash
      let exists: boolean | undefined
      try {
        exists = await lookup(hash)
      } catch (error) {
        throw new UnavailableError(
          'The service is not available at the moment; it is safe to retry.',
          1,
          error,
        )
      }
      if (exists) known.set(hash, true)
      return exists ? hash : undefined
    },
  }
}
export type LinkCache = ReturnType<typeof createLinkCache>
