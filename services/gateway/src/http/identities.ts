import type { ServiceName } from '@kyc/common'
import { type CallerIdentity, type IdentitySigner, identityLifetimeSeconds } from '@kyc/http'
import { LRUCache } from 'lru-cache'

/**
 * Signed identities, reused for half their lifetime: one signature per caller and service every half minute instead of
 * one per request. Requests of one caller then carry the same token, which contains nothing specific to a request.
 */
export function createIdentities(sign: IdentitySigner) {
  const tokens = new LRUCache<string, Promise<string>>({
    max: 20_000,
    ttl: (identityLifetimeSeconds * 1000) / 2,
  })
  return (caller: CallerIdentity, service: ServiceName): Promise<string> => {
    const id = caller.type === 'api_key' ? `${service} ${caller.key_id}` : `${service} ${caller.address}`
    let token = tokens.get(id)
    if (!token) {
      token = sign(caller, service)
      tokens.set(id, token)
    }
    return token
  }
}
