import type { ClaimedMessage, Consumption } from '@kyc/bus'
import {
  type Check,
  checkCompleted,
  type identityExtracted,
  sealContexts,
  subjectIdentity,
} from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import { VaultKeyDestroyedError } from '@kyc/vault'
import type { z } from 'zod'
import { openMatchIds } from '../domain/screening/aml-check.ts'
import { saveMonitoredSession } from '../store/monitored-sessions.ts'
import { checkIdentity } from './check-identity.ts'
import type { ScreeningDeps } from './deps.ts'

type SealedCheck = { check: Check; sealed: string }

/** Screens the person of a submitted session and publishes `check.completed`. */
export function screenSession(deps: ScreeningDeps): Consumption<typeof identityExtracted, SealedCheck> {
  return {
    prefetch: 16,
    prepare: async ({ payload }) => {
      if (!payload.config.steps.aml.enabled) return null
      await deps.activeLists.whenReady()
      try {
        return await screenAndSeal(deps, payload)
      } catch (error) {
        // The session was purged in the meantime, so nothing about it may be written.
        if (!(error instanceof VaultKeyDestroyedError)) throw error
        deps.logger.info('skipped screening of a purged session', { session_id: payload.session_id })
        return null
      }
    },
    handle: publishCheck,
  }
}

async function screenAndSeal(
  deps: ScreeningDeps,
  payload: z.output<typeof identityExtracted.payload>,
): Promise<SealedCheck> {
  const { app_id, session_id, sealed_identity } = payload
  const scope = { app_id, session_id }
  const subject =
    sealed_identity === null
      ? null
      : subjectIdentity.parse(
          await deps.vault.open(scope, sealContexts.identity, Buffer.from(sealed_identity, 'base64')),
        )
  const check = await checkIdentity(deps, payload, subject?.identity ?? null)
  const sealed = await deps.vault.seal(scope, sealContexts.check_data, check)
  return { check, sealed: sealed.toString('base64') }
}

async function publishCheck(
  tx: Sql,
  { payload, publish }: ClaimedMessage<typeof identityExtracted>,
  { check, sealed }: SealedCheck,
): Promise<void> {
  const { app_id, session_id, round, environment, config, sealed_identity } = payload
  if (config.steps.aml.monitor && sealed_identity !== null) {
    const { review_threshold } = config
    const { lists } = config.steps.aml
    const settings = { app_id, session_id, round, environment, review_threshold, lists }
    await saveMonitoredSession(tx, settings, sealed_identity, openMatchIds(check))
  }
  await publish(
    checkCompleted,
    { app_id, session_id, round, final: true, kind: 'aml', status: check.status, sealed_check: sealed },
    { orderingKey: session_id },
  )
}
