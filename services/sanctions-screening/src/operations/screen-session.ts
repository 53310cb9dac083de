import { type EventMessage, inbox } from '@kyc/bus'
import { checkCompleted, type identityExtracted, sealContexts, subjectIdentity } from '@kyc/common'
import { VaultKeyDestroyedError } from '@kyc/vault'
import { openMatchIds } from '../domain/screening/aml-check.ts'
import { saveMonitoredSession } from '../store/monitored-sessions.ts'
import { checkIdentity } from './check-identity.ts'
import type { ScreeningDeps } from './deps.ts'

type Message = EventMessage<typeof identityExtracted>

/** Screens the person of a submitted session and publishes `check.completed`. */
export async function screenSession(deps: ScreeningDeps, message: Message): Promise<void> {
  const { payload } = message
  if (!payload.config.steps.aml.enabled) return
  await deps.activeLists.whenReady()
  try {
    await screenAndPublish(deps, message)
  } catch (error) {
    // The session was purged in the meantime, so nothing about it may be written.
    if (!(error instanceof VaultKeyDestroyedError)) throw error
    deps.logger.info('skipped screening of a purged session', { session_id: payload.session_id })
  }
}

async function screenAndPublish(
  deps: ScreeningDeps,
  { id, payload, traceparent, correlationId }: Message,
): Promise<void> {
  const { vault, database, outbox } = deps
  const { app_id, session_id, round, environment, config, sealed_identity } = payload
  const scope = { app_id, session_id }
  const subject =
    sealed_identity === null
      ? null
      : subjectIdentity.parse(
          await vault.open(scope, sealContexts.identity, Buffer.from(sealed_identity, 'base64')),
        )
  const check = await checkIdentity(deps, payload, subject?.identity ?? null)
  const sealed = await vault.seal(scope, sealContexts.check_data, check)
  await database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, 'sanctions-screening.identity.extracted', id))) return
    if (config.steps.aml.monitor && sealed_identity !== null) {
      const { review_threshold } = config
      const { lists } = config.steps.aml
      const settings = { ...scope, round, environment, review_threshold, lists }
      await saveMonitoredSession(tx, settings, sealed_identity, openMatchIds(check))
    }
    await outbox.append(
      tx,
      checkCompleted,
      {
        app_id,
        session_id,
        round,
        final: true,
        kind: 'aml',
        status: check.status,
        sealed_check: sealed.toString('base64'),
      },
      { orderingKey: session_id, traceparent, correlationId },
    )
  })
}
