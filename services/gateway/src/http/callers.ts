import type { IncomingMessage } from 'node:http'
import type { CallerIdentity } from '@kyc/http'
import { addressBlock, sha256Hex } from '@kyc/runtime'
import { LRUCache } from 'lru-cache'
import type { Route } from '../domain/route-table.ts'

/** A signed-in browser sends a request to the console at least this often. */
const knownCookiesMs = 10 * 60_000

/**
 * The caller whose share of slots and memory a request uses: its key, its flow token, its console cookie if the console
 * accepted it recently, or else its address. A value that a caller can invent never gets a separate share: an IPv6 client
 * chooses among the addresses of its /64, so these share one.
 */
export function createCallers({
  knownTokenOf,
}: {
  knownTokenOf: (request: IncomingMessage) => string | undefined
}) {
  const knownCookies = new LRUCache<string, true>({ max: 10_000, ttl: knownCookiesMs })
  const signedIn = new WeakMap<IncomingMessage, string>()
  return {
    of(
      request: IncomingMessage,
      route: Route,
      identity: CallerIdentity | undefined,
      address: string,
    ): string {
      if (identity?.type === 'api_key') return `key ${identity.key_id}`
      const token = knownTokenOf(request)
      if (token !== undefined) return `token ${token}`
      const { cookie } = request.headers
      if (route.signed_in && cookie !== undefined) {
        const hash = sha256Hex(cookie)
        signedIn.set(request, hash)
        if (knownCookies.has(hash)) return `cookie ${hash}`
      }
      return `address ${addressBlock(address)}`
    },
    /** Learns from the service's status whether the cookie of a request belongs to a signed-in user. */
    learn(request: IncomingMessage, status: number): void {
      const hash = signedIn.get(request)
      if (hash !== undefined && status < 400) knownCookies.set(hash, true)
    },
  }
}
