import {
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  type PasskeyTransport,
  passkeyTransports,
} from '@kyc/common'
import type { AttestationObject } from '@simplewebauthn/server/helpers'

/** Whose passkeys these are: a browser signs for `origin` only, and offers only credentials of `id`. */
export type RelyingParty = { id: string; origin: string }

const relyingPartyName = 'Identity verification console'
export const challengeMs = 5 * 60_000
/** More than anybody has devices; a limit so that the lists in the options stay short. */
export const maxPasskeys = 20
/** EdDSA, ES256 and RS256 (IANA COSE algorithms), in order of preference. */
export const signatureAlgorithms = [-8, -7, -257]

/** From the address by which browsers reach the console. */
export function relyingParty(pagesUrl: string): RelyingParty {
  const { hostname, origin } = new URL(pagesUrl)
  return { id: hostname, origin }
}

type Credential = { credential_id: Buffer; transports: readonly string[] }

const descriptors = (credentials: readonly Credential[]) =>
  credentials.map(({ credential_id, transports }) => ({
    id: credential_id.toString('base64url'),
    type: 'public-key' as const,
    transports: knownTransports(transports),
  }))

/** Browsers may report transports of later specifications. */
export const knownTransports = (transports: readonly string[]): PasskeyTransport[] =>
  passkeyTransports.filter((known) => transports.includes(known))

/**
 * User verification is required because a passkey stands for two factors. Attestation is `none`: which make of
 * authenticator somebody owns decides nothing here.
 */
export function creationOptions(
  party: RelyingParty,
  challenge: string,
  user: { id: string; email: string; name: string | null },
  existing: readonly Credential[],
): PasskeyCreationOptions {
  return {
    rp: { id: party.id, name: relyingPartyName },
    user: {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.email,
      displayName: user.name ?? user.email,
    },
    challenge,
    pubKeyCredParams: signatureAlgorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout: challengeMs,
    excludeCredentials: descriptors(existing),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation: 'none',
  }
}

/** No credentials: the person chooses among the passkeys that the browser knows for this site. */
export const requestOptions = (
  party: RelyingParty,
  challenge: string,
  credentials: readonly Credential[],
): PasskeyRequestOptions => ({
  challenge,
  timeout: challengeMs,
  rpId: party.id,
  allowCredentials: descriptors(credentials),
  userVerification: 'required',
})

/** The challenge that a response answers; null when its client data is malformed or was made inside a foreign frame. */
export function challengeOf(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    const { challenge, crossOrigin } = data as { challenge?: unknown; crossOrigin?: unknown }
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null
  } catch {
    return null
  }
}

/**
 * Whether a registration has no attestation certificates. Browsers remove them when `none` is asked for, except for
 * self attestation. Any other statement is refused unread: verifying certificates may download revocation lists from
 * addresses that the sender chose.
 */
export function isWithoutCertificates(attestation: AttestationObject): boolean {
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** The user id that a discoverable credential names. */
export const userIdOf = (userHandle: string | undefined): string | null =>
  userHandle === undefined ? null : Buffer.from(userHandle, 'base64url').toString('utf8')
