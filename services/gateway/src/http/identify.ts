import type { IncomingMessage, ServerResponse } from 'node:http'
import { forbidden, unauthorized } from '@kyc/common'
import type { CallerIdentity } from '@kyc/http'
import { addressBlock, sha256Hex } from '@kyc/runtime'
import { flowTokenOf } from '../domain/navigation.ts'
import type { Route } from '../domain/route-table.ts'
import type { KeyCache } from '../store/key-cache.ts'
import type { LinkCache } from '../store/link-cache.ts'
import type { Limits } from './limits.ts'

/** Identifies the caller by key, flow token or address, and counts the request against the caller's limit. */
export function createIdentify({
  keys,
  links,
  limits,
}: {
  keys: KeyCache
  links: LinkCache
  limits: Limits
}) {
  const knownTokens = new WeakMap<IncomingMessage, string>()

  async function identify(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    address: string,
  ): Promise<CallerIdentity | undefined> {
    if (route.caller === 'api_key') return identifyKey(request, response, route, address)
    if (route.service === 'gateway') return undefined
    if (route.caller === 'flow_token') await countLink(request, response, address)
    return { type: 'flow', address: address === '' ? null : address }
  }

  /**
   * Looks the token up before it counts, so that a valid link never shares a limit with guesses from the same address.
   */
  async function countLink(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<void> {
    const token = flowTokenOf(request.url ?? '')
    const known = token === undefined ? undefined : await links.find(token)
    if (known === undefined) {
      await limits.count(response, 'unknown', addressBlock(address))
      return
    }
    knownTokens.set(request, known)
    await limits.count(response, 'flow', known)
  }

  /** Looks the key up before it counts, for the same reason. */
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
      if (given !== undefined) await limits.count(response, 'unknown', addressBlock(address))
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
    /** The hash of the flow token of an identified request, if that token exists. */
    knownTokenOf: (request: IncomingMessage): string | undefined => knownTokens.get(request),
  }
}
export type Identify = ReturnType<typeof createIdentify>
