import { z } from 'zod'
import { pathId } from '../../domain/ids.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { defineContract } from '../define.ts'
import { singleLine } from '../parts.ts'
import { signInProgress } from './account.ts'
import { begun, consoleEndpoint, notSignedIn, oneself, oneselfAnew } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Passkeys' } as const

/** Bytes in base64url, as in WebAuthn's JSON forms. */
const bytes = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .regex(/^[\w-]+$/, 'must be base64url')
/** At most 1,023 bytes (WebAuthn Level 3, section 4). */
const credentialId = bytes(1_364)

/** The transports that a browser can report for an authenticator; values of later specifications are dropped. */
export const passkeyTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const
const transport = z.enum(passkeyTransports)
export type PasskeyTransport = z.infer<typeof transport>

const credentialDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(transport),
})

/** `PublicKeyCredentialCreationOptionsJSON`. */
export const passkeyCreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  excludeCredentials: z.array(credentialDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('preferred'),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})
export type PasskeyCreationOptions = z.infer<typeof passkeyCreationOptions>

/** `PublicKeyCredentialRequestOptionsJSON`; without `allowCredentials` the user chooses one of their passkeys. */
export const passkeyRequestOptions = z.object({
  challenge: z.string(),
  timeout: z.int(),
  rpId: z.string(),
  allowCredentials: z.array(credentialDescriptor),
  userVerification: z.literal('required'),
})
export type PasskeyRequestOptions = z.infer<typeof passkeyRequestOptions>

/** The members of `AuthenticationResponseJSON` that are verified; a page sends only these. */
export const passkeyAssertion = z.strictObject({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.strictObject({
    clientDataJSON: bytes(4_096),
    authenticatorData: bytes(4_096),
    signature: bytes(4_096),
    userHandle: bytes(128).optional(),
  }),
})
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>

/** The members of `RegistrationResponseJSON` that are verified. */
export const passkeyRegistration = z.strictObject({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.strictObject({
    clientDataJSON: bytes(4_096),
    attestationObject: bytes(16_384),
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
})
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>

const passkeyName = singleLine(64)

export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  /** A copy exists outside the device, for example in a password manager. */
  backed_up: z.boolean(),
})
export type PresentedPasskey = z.infer<typeof passkey>

const passkeyParams = z.object({ passkey_id: pathId })

export const consolePasskeyEndpoints = defineContract({
  beginPasskeySignIn: {
    ...common,
    method: 'post',
    path: '/console/api/login/passkey/options',
    access: notSignedIn,
    summary: 'A challenge for a sign-in by passkey alone',
    success: { status: 200, body: passkeyRequestOptions },
    errors: [],
  },
  signInWithPasskey: {
    ...common,
    method: 'post',
    path: '/console/api/login/passkey',
    access: notSignedIn,
    summary: 'Sign in by passkey alone: its device verified the person, so both factors are given',
    body: z.strictObject({ assertion: passkeyAssertion }),
    success: { status: 200, body: signInProgress },
    errors: ['bad_request'],
  },
  beginPasskeySecondFactor: {
    ...common,
    method: 'post',
    path: '/console/api/login/second-factor/passkey/options',
    access: begun,
    summary: "A challenge for one of the person's passkeys as the second factor",
    success: { status: 200, body: passkeyRequestOptions },
    errors: ['conflict'],
  },
  verifyPasskeySecondFactor: {
    ...common,
    method: 'post',
    path: '/console/api/login/second-factor/passkey',
    access: begun,
    summary: 'Finish to sign in: a passkey as the second factor',
    body: z.strictObject({ assertion: passkeyAssertion }),
    success: { status: 200, body: signInProgress },
    errors: ['bad_request', 'conflict'],
  },
  beginPasskeyReauthentication: {
    ...common,
    method: 'post',
    path: '/console/api/me/reauthenticate/passkey/options',
    access: oneself,
    summary: "A challenge for one of the person's passkeys, to re-authenticate",
    success: { status: 200, body: passkeyRequestOptions },
    errors: ['conflict'],
  },
  reauthenticateWithPasskey: {
    ...common,
    method: 'post',
    path: '/console/api/me/reauthenticate/passkey',
    access: oneself,
    summary: 'Re-authenticate by passkey, in place of password and code',
    body: z.strictObject({ assertion: passkeyAssertion }),
    success: { status: 200, body: signInProgress },
    errors: ['bad_request', 'unprocessable'],
  },
  beginPasskeyRegistration: {
    ...common,
    method: 'post',
    path: '/console/api/me/passkeys/options',
    access: begun,
    summary: 'A challenge for a new passkey; open to a person who has to enrol',
    success: { status: 200, body: passkeyCreationOptions },
    errors: ['conflict'],
  },
  addPasskey: {
    ...common,
    method: 'post',
    path: '/console/api/me/passkeys',
    access: begun,
    summary: 'Register a passkey; every other session ends. The recovery codes are in the first answer only',
    body: z.strictObject({ name: passkeyName, registration: passkeyRegistration }),
    success: {
      status: 201,
      body: signInProgress.extend({
        passkey,
        /** Issued with the first second factor; null when the user already has codes. */
        recovery_codes: z.array(z.string()).nullable(),
      }),
    },
    errors: ['bad_request', 'conflict', 'unprocessable'],
  },
  listPasskeys: {
    ...common,
    method: 'get',
    path: '/console/api/me/passkeys',
    access: oneself,
    summary: "The person's passkeys",
    success: { status: 200, body: z.object({ data: z.array(passkey) }) },
    errors: [],
  },
  renamePasskey: {
    ...common,
    method: 'patch',
    path: '/console/api/me/passkeys/:passkey_id',
    access: oneself,
    summary: 'Rename a passkey',
    params: passkeyParams,
    body: z.strictObject({ name: passkeyName }),
    success: { status: 200, body: passkey },
    errors: ['bad_request', 'not_found'],
  },
  removePasskey: {
    ...common,
    method: 'delete',
    path: '/console/api/me/passkeys/:passkey_id',
    access: oneselfAnew,
    summary: 'Remove a passkey, unless it is the only second factor; every other session ends',
    params: passkeyParams,
    success: { status: 204, body: null },
    errors: ['not_found', 'conflict'],
  },
})
