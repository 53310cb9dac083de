import { identity as identitySchema, type screenAgain, sealContexts } from '@kyc/common'
import type { z } from 'zod'
import { checkIdentity } from './check-identity.ts'
import type { ScreeningDeps } from './deps.ts'

/**
 * Screens a session's person again on a reviewer's request. Stores nothing: `session` decides what to do with the
 * check.
 */
export async function screenSessionAgain(
  deps: ScreeningDeps,
  request: z.output<typeof screenAgain.request>,
): Promise<{ sealed_check: string }> {
  const { activeLists, vault } = deps
  await activeLists.whenReady()
  const { app_id, session_id, sealed_identity } = request
  const scope = { app_id, session_id }
  const identity =
    sealed_identity === null
      ? null
      : identitySchema.parse(
          await vault.open(scope, sealContexts.identity, Buffer.from(sealed_identity, 'base64')),
        )
  const check = await checkIdentity(deps, request, identity)
  return { sealed_check: (await vault.seal(scope, sealContexts.check_data, check)).toString('base64') }
}
