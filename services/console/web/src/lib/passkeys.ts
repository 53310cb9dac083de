import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@kyc/common'
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { PasskeyError } from './passkey-error.ts'

/** Why this browser cannot use passkeys, as text for a button; null if it can. */
export const reasonAgainstPasskeys = (): string | null =>
  browserSupportsWebAuthn() ? null : 'This browser does not support passkeys'

/** Shows the browser's prompt for a new passkey. */
export async function createPasskey(options: PasskeyCreationOptions): Promise<PasskeyRegistration> {
  const { id, rawId, type, response } = await startRegistration({ optionsJSON: options }).catch((error) =>
    refuse(error, options.rp.id),
  )
  const { clientDataJSON, attestationObject, transports } = response
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
}

/** Shows the browser's prompt for an existing passkey. */
export async function givePasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON: options }).catch((error) =>
    refuse(error, options.rpId),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }
}

function refuse(error: unknown, host: string): never {
  const code = error instanceof WebAuthnError ? error.code : null
  switch (code) {
    case 'ERROR_INVALID_DOMAIN':
    case 'ERROR_INVALID_RP_ID':
      throw new PasskeyError(
        `Passkeys work only where the console is opened by the host name ${host}. Open it there, or use another way.`,
      )
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
      throw new PasskeyError('This device already has a passkey of your account.')
    case 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT':
      throw new PasskeyError(
        'This device cannot verify you by PIN, fingerprint or face. Use another device, or another way.',
      )
  }
  // Browsers use one error for a closed prompt, a timeout, and a device without a matching passkey.
  if (error instanceof Error && error.name === 'NotAllowedError') {
    throw new PasskeyError('The passkey prompt was closed, or it timed out. Try again, or use another way.')
  }
  throw new PasskeyError('The passkey could not be used on this device. Try again, or use another way.')
}
