/**
 * The WebAuthn library, loaded at the first response of a passkey: it takes a quarter of a second and 40 MB, because it
 * brings parsers for attestation certificates that are never used here.
 */
export async function webAuthn() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...server, decodeAttestationObject: helpers.decodeAttestationObject }
}
