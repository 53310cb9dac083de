import { type Environment, type ServiceName, unauthorized } from '@kyc/common'
import type { Clock } from '@kyc/runtime'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'

/** The header in which the gateway tells a service who the caller is. */
export const identityHeader = 'x-kyc-identity'

/** The caller of a request, as authenticated by the gateway. */
export type CallerIdentity =
  | { type: 'api_key'; app_id: string; environment: Environment; key_id: string; address: string | null }
  | { type: 'flow'; address: string | null }

/** The `typ` of the token, so that result and hand-off tokens are not accepted here, or this one there. */
const tokenType = 'kyc-internal+jwt'
const issuer = 'gateway'
const algorithm = 'EdDSA'
export const identityLifetimeSeconds = 60

export async function generateIdentityKeys(): Promise<{ privateKey: string; publicKey: string }> {
  const pair = await generateKeyPair(algorithm, { extractable: true, crv: 'Ed25519' })
  return {
    privateKey: JSON.stringify(await exportJWK(pair.privateKey)),
    publicKey: JSON.stringify(await exportJWK(pair.publicKey)),
  }
}

async function importKey(text: string): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(text) as JWK, algorithm)
  if (key instanceof Uint8Array) throw new Error('the identity key must be an Ed25519 JWK')
  return key
}

/** Signs identities, each for a single service; only the gateway does this. */
export async function createIdentitySigner(privateKey: string, clock: Clock) {
  const key = await importKey(privateKey)
  return (identity: CallerIdentity, audience: ServiceName): Promise<string> => {
    const now = Math.floor(clock.now().getTime() / 1000)
    return new SignJWT({ caller: identity })
      .setProtectedHeader({ alg: algorithm, typ: tokenType })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + identityLifetimeSeconds)
      .sign(key)
  }
}
export type IdentitySigner = Awaited<ReturnType<typeof createIdentitySigner>>

export type IdentityVerifier = (token: string | undefined) => Promise<CallerIdentity>

/**
 * Recently verified tokens, cached until they expire, so that a busy caller costs one signature verification a minute.
 */
const cacheLimit = 5_000
const clockLeewaySeconds = 5

/** Verifies signature, algorithm, type, issuer, audience and times; throws `unauthorized` if any of them is invalid. */
export async function createIdentityVerifier(
  publicKey: string,
  audience: ServiceName,
  clock: Clock,
): Promise<IdentityVerifier> {
  const key = await importKey(publicKey)
  const cache = new Map<string, { caller: CallerIdentity; expiresAt: number }>()
  return async (token) => {
    if (!token) throw unauthorized('This service is reached through the gateway.')
    const now = clock.now()
    const known = cache.get(token)
    if (known && known.expiresAt > now.getTime()) return known.caller
    cache.delete(token)
    try {
      const { payload } = await jwtVerify<{ caller: CallerIdentity }>(token, key, {
        algorithms: [algorithm],
        typ: tokenType,
        issuer,
        audience,
        clockTolerance: clockLeewaySeconds,
        // Also rejects a token issued in the future, which would be valid for longer than a minute.
        maxTokenAge: identityLifetimeSeconds,
        currentDate: now,
        requiredClaims: ['exp', 'iat', 'caller'],
      })
      if (cache.size >= cacheLimit) cache.delete(cache.keys().next().value as string)
      cache.set(token, { caller: payload.caller, expiresAt: (payload.exp ?? 0) * 1000 })
      return payload.caller
    } catch {
      throw unauthorized('This service is reached through the gateway.')
    }
  }
}
