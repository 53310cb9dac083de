/**
 * The WebAuthn library, loaded with the first passkey response. Loading takes a quarter of a second and 40 MB, because it
 * includes parsers for attestation certificates that are never used here.
 */
export async function webAuthn() {
  const { verifyAuthenticationResponse, verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  return { decodeAttestationObject, verifyAuthenticationResponse, verifyRegistrationResponse }
}
