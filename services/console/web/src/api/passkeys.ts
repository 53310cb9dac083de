import type { SignInState } from '@kyc/common'
import { queryOptions } from '@tanstack/react-query'
import { createPasskey, givePasskey } from '../lib/passkeys.ts'
import { api, type Got, keepCsrfToken } from './client.ts'

export type Passkey = Got<'/console/api/me/passkeys'>['data'][number]

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => (await api.get('/console/api/me/passkeys', {})).data,
})

/** Shows the prompt for a new passkey and registers it. The first second factor comes with recovery codes. */
export async function registerPasskey(name: string): Promise<{ recovery_codes: string[] | null }> {
  const registration = await createPasskey(await api.post('/console/api/me/passkeys/options', {}))
  return keepCsrfToken(await api.post('/console/api/me/passkeys', { body: { name, registration } }))
}

/** Without a password: the browser lets the user choose the passkey. */
export async function signInWithPasskey(): Promise<SignInState> {
  const assertion = await givePasskey(await api.post('/console/api/login/passkey/options', {}))
  return keepCsrfToken(await api.post('/console/api/login/passkey', { body: { assertion } })).state
}

export async function verifyPasskeySecondFactor(): Promise<SignInState> {
  const assertion = await givePasskey(await api.post('/console/api/login/second-factor/passkey/options', {}))
  return keepCsrfToken(await api.post('/console/api/login/second-factor/passkey', { body: { assertion } }))
    .state
}

export async function reauthenticateWithPasskey(): Promise<void> {
  const assertion = await givePasskey(await api.post('/console/api/me/reauthenticate/passkey/options', {}))
  keepCsrfToken(await api.post('/console/api/me/reauthenticate/passkey', { body: { assertion } }))
}
