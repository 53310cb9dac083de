import { z } from 'zod'
import { type ConsoleAction, consoleActions, consoleRole } from '../../domain/console-permissions.ts'
import { environment, pathId } from '../../domain/ids.ts'
import { timestamp } from '../../domain/timestamp.ts'
import { defineContract } from '../define.ts'
import { begun, consoleEndpoint, notSignedIn, oneself, oneselfAnew } from './parts.ts'

const common = { ...consoleEndpoint, tag: 'Account' } as const

/** Exactly as typed: never trimmed or truncated. */
const givenPassword = z.string().min(1).max(256)
/** Length only; the service rejects common and guessable passwords with `unprocessable`. */
export const newPassword = z.string().min(12).max(256)
/** Six digits from the authenticator app, or a recovery code. */
const secondFactorCode = z.string().min(6).max(32)
const emailAddress = z.email('must be a valid address').max(254)

export const signInState = z.enum(['second_factor', 'enrolment', 'full'])
export type SignInState = z.infer<typeof signInState>

export const signInProgress = z.object({
  /** What is missing: the code, the enrolment of a second factor, or nothing. */
  state: signInState,
  csrf_token: z.string(),
})

const linkKind = z.enum(['invitation', 'password_reset'])
const linkToken = z.string().min(1).max(128)

export const ownSession = z.object({
  id: z.string(),
  current: z.boolean(),
  created_at: timestamp,
  last_seen_at: timestamp,
  expires_at: timestamp,
  address: z.string().nullable(),
  /** A short description of browser and operating system. */
  device: z.string(),
})

export const consoleAccount = z.object({
  ...signInProgress.shape,
  user: z.object({ id: z.string(), email: z.string(), name: z.string().nullable(), role: consoleRole }),
  /** Empty until the sign-in is complete. */
  actions: z.array(z.enum(Object.keys(consoleActions) as [ConsoleAction, ...ConsoleAction[]])),
  apps: z.array(
    z.object({
      app_id: z.string(),
      name: z.string(),
      environment,
      logo_url: z.string().nullable(),
      accent: z.string().nullable(),
    }),
  ),
  second_factor: z.object({
    authenticator_app: z.boolean(),
    passkeys: z.int(),
    recovery_codes_left: z.int(),
  }),
  session: z.object({
    id: z.string(),
    expires_at: timestamp,
    /** When the session ends if it is not used before. */
    idle_expires_at: timestamp,
    /** Until when actions that need reauthentication are accepted without it. */
    reauthenticated_until: timestamp.nullable(),
  }),
})
export type ConsoleAccount = z.infer<typeof consoleAccount>

export const consoleAccountEndpoints = defineContract({
  signIn: {
    ...common,
    method: 'post',
    path: '/console/api/login',
    access: notSignedIn,
    summary: 'Begin to sign in: e-mail and password',
    body: z.strictObject({ email: z.string().min(1).max(254), password: givenPassword }),
    success: { status: 200, body: signInProgress },
    errors: ['bad_request'],
  },
  verifySecondFactor: {
    ...common,
    method: 'post',
    path: '/console/api/login/second-factor',
    access: begun,
    summary: 'Finish to sign in: the code of the second factor, or a recovery code',
    body: z.strictObject({ code: secondFactorCode }),
    success: { status: 200, body: signInProgress },
    errors: ['bad_request', 'conflict'],
  },
  signOut: {
    ...common,
    method: 'post',
    path: '/console/api/logout',
    access: begun,
    summary: 'End this session',
    success: { status: 204, body: null },
    errors: [],
  },
  getAccount: {
    ...common,
    method: 'get',
    path: '/console/api/me',
    access: begun,
    summary: 'Who is signed in, what they may do, which apps they see',
    success: { status: 200, body: consoleAccount },
    errors: [],
  },
  beginEnrolment: {
    ...common,
    method: 'post',
    path: '/console/api/me/second-factor',
    access: begun,
    summary: 'A new secret for an authenticator app; it counts once confirmed',
    success: {
      status: 200,
      body: z.object({ secret: z.string(), otpauth_url: z.string(), qr_svg: z.string() }),
    },
    errors: ['conflict'],
  },
  confirmEnrolment: {
    ...common,
    method: 'post',
    path: '/console/api/me/second-factor/confirm',
    access: begun,
    summary: 'Confirm the secret with a code; the recovery codes are in this answer only',
    body: z.strictObject({ code: secondFactorCode }),
    success: {
      status: 200,
      body: signInProgress.extend({ recovery_codes: z.array(z.string()) }),
    },
    errors: ['bad_request', 'conflict', 'unprocessable'],
  },
  renewRecoveryCodes: {
    ...common,
    method: 'post',
    path: '/console/api/me/recovery-codes',
    access: oneselfAnew,
    summary: 'New recovery codes; the old ones end',
    success: { status: 200, body: z.object({ recovery_codes: z.array(z.string()) }) },
    errors: [],
  },
  reauthenticate: {
    ...common,
    method: 'post',
    path: '/console/api/me/reauthenticate',
    access: oneself,
    summary: 'Re-authenticate: the password, and a code of the second factor or a recovery code',
    body: z.strictObject({ password: givenPassword, code: secondFactorCode }),
    success: { status: 200, body: signInProgress },
    errors: ['bad_request', 'unprocessable'],
  },
  changePassword: {
    ...common,
    method: 'post',
    path: '/console/api/me/password',
    access: oneself,
    summary: 'Change the password; every other session ends',
    body: z.strictObject({ current_password: givenPassword, new_password: newPassword }),
    success: { status: 200, body: signInProgress },
    errors: ['bad_request', 'unprocessable'],
  },
  listOwnSessions: {
    ...common,
    method: 'get',
    path: '/console/api/me/sessions',
    access: oneself,
    summary: 'Where one is signed in',
    success: { status: 200, body: z.object({ data: z.array(ownSession) }) },
    errors: [],
  },
  endOwnSession: {
    ...common,
    method: 'delete',
    path: '/console/api/me/sessions/:sign_in_id',
    access: oneself,
    summary: 'Sign out there',
    params: z.object({ sign_in_id: pathId }),
    success: { status: 204, body: null },
    errors: ['not_found'],
  },
  endOtherSessions: {
    ...common,
    method: 'delete',
    path: '/console/api/me/sessions',
    access: oneself,
    summary: 'Sign out everywhere else',
    success: { status: 204, body: null },
    errors: [],
  },
  requestPasswordReset: {
    ...common,
    method: 'post',
    path: '/console/api/password-reset',
    access: notSignedIn,
    summary: 'Mail a link that sets a new password; the answer is the same for unknown addresses',
    body: z.strictObject({ email: emailAddress }),
    success: { status: 204, body: null },
    errors: ['bad_request'],
  },
  openLink: {
    ...common,
    method: 'post',
    path: '/console/api/links/open',
    access: notSignedIn,
    summary: 'What a mailed link is for; opening does not use it up',
    body: z.strictObject({ token: linkToken }),
    success: {
      status: 200,
      body: z.object({ kind: linkKind, email: z.string(), expires_at: timestamp }),
    },
    errors: ['bad_request', 'not_found'],
  },
  useLink: {
    ...common,
    method: 'post',
    path: '/console/api/links/use',
    access: notSignedIn,
    summary: 'Accept an invitation or set a new password; the link is used up. Sign in afterwards',
    body: z.strictObject({
      token: linkToken,
      password: newPassword,
      /** For an invitation: the name that colleagues see. */
      name: z.string().min(1).max(80).optional(),
    }),
    success: { status: 204, body: null },
    errors: ['bad_request', 'not_found', 'unprocessable'],
  },
})
