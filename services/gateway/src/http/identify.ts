import type { IncomingMessage, ServerResponse } from 'node:http'
import { forbidden, unauthorized } from '@kyc/common'
import type { CallerIdentity } from '@kyc/http'
import { sha256Hex } from '@kyc/runtime'
import { LRUCache } from 'lru-cache'
import type { Route } from '../domain/route-table.ts'
import type { KeyCache } from '../store/key-cache.ts'
import type { Limits } from './limits.ts'

/** Flow tokens that a service knew a moment ago: their requests are never held up by the guesses of a neighbour. */
const knownTokensMs = 10 * 60_000

/** Who calls: a key, the holder of a flow token, or an address; counts the request against the caller's limit. */
export function createIdentify({ keys, limits }: { keys: KeyCache; limits: Limits }) {
  const knownTokens = new LRUCache<string, true>({ max: 50_000, ttl: knownTokensMs })
  const flows = new WeakMap<IncomingMessage, { tokenHash: string; address: string }>()

  async function identify(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    address: string,
  ): Promise<CallerIdentity | undefined> {
    if (route.caller === 'api_key') return identifyKey(request, response, route, address)
    if (route.caller === 'flow_token') {
      const tokenHash = sha256Hex(request.url?.split(/[/?]/, 3)[2] ?? '')
      // Fails closed for guessing: too many unknown tokens from one address, and only known ones pass.
      if (!knownTokens.has(tokenHash)) await limits.assertOpen('unknown', address)
      await limits.count(response, 'flow', tokenHash)
      flows.set(request, { tokenHash, address })
    }
    return route.service === 'gateway'
      ? undefined
      : { type: 'flow', address: address === '' ? null : address }
  }

  async function identifyKey(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    address: string,
  ): Promise<CallerIdentity> {
    const given = request.headers['x-api-key']
    const key =
      typeof given === 'string' && given.length <= 128 ? await keys.find(sha256Hex(given)) : undefined
    if (!key) {
      if (given !== undefined) await limits.count(response, 'unknown', address)
      throw unauthorized()
    }
    await limits.count(response, 'key', key.id, key.rate_limit_per_minute)
    if (key.scopes && route.scope && !key.scopes.includes(route.scope)) {
      throw forbidden(`This key lacks the scope ${route.scope}.`)
    }
    if (route.costly) await limits.count(response, 'image', key.id, key.rate_limit_per_minute)
    return {
      type: 'api_key',
      app_id: key.app_id,
      environment: key.environment,
      key_id: key.id,
      address: null,
    }
  }

  return {
    identify,
    /** Learns from the service's status whether the token of a request is one. */
    learn(request: IncomingMessage, status: number): void {
      const flow = flows.get(request)
      if (!flow) return
      if (status === 404) void limits.penalize('unknown', flow.address)
      else if (status < 500) knownTokens.set(flow.tokenHash, true)
    },
    /** The hash of the flow token of a request, where a service knew it a moment ago. */
    knownTokenOf(request: IncomingMessage): string | undefined {
      const flow = flows.get(request)
      return flow && knownTokens.has(flow.tokenHash) ? flow.tokenHash : undefined
    },
  }
}
export type Identify = ReturnType<typeof createIdentify>
