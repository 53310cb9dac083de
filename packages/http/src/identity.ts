import { type Environment, type ServiceName, unauthorized } from '@kyc/common'
import type { Clock } from '@kyc/runtime'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'

/** The header in which the gateway tells a service who is calling. */
export const identityHeader = 'x-kyc-identity'

/** Who is behind a request, as the gateway established it. */
export type CallerIdentity =
  | { type: 'api_key'; app_id: string; environment: Environment; key_id: string; address: string | null }
  | { type: 'flow'; address: string | null }

/** `typ` of the token: a result or hand-off token is useless here, and this one there. */
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

/** Signs identities for one service at a time; only the gateway has one. */
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

/** Tokens verified a moment ago, kept until they expire: a busy caller costs one signature check a minute. */
const cacheLimit = 5_000
const clockLeewaySeconds = 5

/** Verifies signature, algorithm, type, issuer, audience and times; anything else is `unauthorized`. */
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
        // Also refuses a token from the future, which would outlive its minute.
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
