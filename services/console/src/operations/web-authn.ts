/**
 * The WebAuthn library, loaded at the first response of a passkey: it takes a quarter of a second and 40 MB, because it
 * brings parsers for attestation certificates that are never used here.
 */
export async function webAuthn() {
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  return { decodeAttestationObject, verifyAuthenticationResponse, verifyRegistrationResponse }
}
