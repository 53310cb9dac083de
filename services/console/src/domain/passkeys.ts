import {
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  type PasskeyTransport,
  passkeyTransports,
} from '@kyc/common'
import type { AttestationObject } from '@simplewebauthn/server/helpers'

/** Browsers sign for `origin` only, and offer only credentials of `id`. */
export type RelyingParty = { id: string; origin: string }

const relyingPartyName = 'Identity verification console'
export const challengeMs = 5 * 60_000
/** Limits the lists in the options; more than anybody has devices. */
export const maxPasskeys = 20
/** EdDSA, ES256 and RS256 (IANA COSE algorithms), in order of preference. */
export const signatureAlgorithms = [-8, -7, -257]

/** Derives the relying party from the URL of the console. */
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

/** Browsers may report transports from later specifications. */
export const knownTransports = (transports: readonly string[]): PasskeyTransport[] =>
  passkeyTransports.filter((known) => transports.includes(known))

/**
 * User verification is required because a passkey counts as two factors. Attestation is `none` because the make of the
 * authenticator affects no decision.
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

/** Without credentials the browser offers the passkeys that it has for this site. */
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

/** The challenge in a response; null if its client data is malformed or comes from a cross-origin frame. */
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
 * Whether a registration has no attestation certificates. Browsers remove them when `none` is requested, except for self
 * attestation. Other statements are rejected before they are parsed, because verifying certificates may download
 * revocation lists from addresses that the sender chose.
 */
export function isWithoutCertificates(attestation: AttestationObject): boolean {
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** The user id in the user handle of a discoverable credential. */
export const userIdOf = (userHandle: string | undefined): string | null =>
  userHandle === undefined ? null : Buffer.from(userHandle, 'base64url').toString('utf8')
