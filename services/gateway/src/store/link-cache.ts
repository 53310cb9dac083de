import type { Bus } from '@kyc/bus'
import { findFlowLinks, UnavailableError } from '@kyc/common'
import { createBatchedLookup, sha256Hex } from '@kyc/runtime'
import { LRUCache } from 'lru-cache'

const capacity = 50_000
/** Also how long a purged link is still forwarded; the flow then responds with 404. */
const knownMs = 10 * 60_000

/**
 * A cache of existing flow tokens. The limit on guesses needs it before it counts, so that a person with a valid link
 * is never rejected because of guesses from the same address. Only existing tokens are cached, so that guesses cannot
 * displace them.
 */
export function createLinkCache(bus: Bus) {
  const known = new LRUCache<string, true>({ max: capacity, ttl: knownMs })
  const lookup = createBatchedLookup(async (hashes) => {
    const found = await bus.request(findFlowLinks, { token_sha256: [...hashes] })
    return new Map(found.known.map((hash) => [hash, true]))
  })

  return {
    /** The token's hash if the token exists. @throws UnavailableError if that cannot be determined. */
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
