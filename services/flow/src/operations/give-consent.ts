import { badRequest, type FlowState, refuseConsent } from '@kyc/common'
import { sha256Hex } from '@kyc/runtime'
import { assertOpen, viewSteps } from '../domain/progress.ts'
import { flowSessionStore } from '../store/flow-sessions.ts'
import { findSteps } from '../store/steps.ts'
import { type Operations, scopeOf, type Visit } from './context.ts'
import { chooseLocale, ensureStarted } from './ensure-started.ts'
import { keepStep } from './keep-step.ts'
import { consentText, presentState } from './present-state.ts'

/** Records the hash of the accepted text and when it was accepted. A refusal ends the session. */
export async function giveConsent(
  operations: Operations,
  opened: Visit,
  body: { accepted: boolean; version: string; locale?: string | undefined },
): Promise<FlowState> {
  const visit = await ensureStarted(operations, opened, body.locale)
  const { session } = visit
  const view = assertOpen('consent', viewSteps(session.config, await findSteps(operations.database, session)))
  if (!body.accepted) {
    const { status } = await operations.bus.request(refuseConsent, scopeOf(session))
    return presentState(operations, { ...visit, session: { ...session, status } })
  }
  const { consent } = session.config.steps
  if (body.version !== consent.version) {
    throw badRequest(`version: must be ${consent.version}, the version of the text that was shown`)
  }
  // The locale of the text that was shown: the session's, unless the page sends another.
  const kept = await flowSessionStore(operations.prisma).newest(session.session_id)
  const locale = chooseLocale(session.config.locales, body.locale ?? kept?.locale)
  const now = operations.clock.now()
  const progress = {
    version: consent.version,
    text_sha256: sha256Hex(consentText(consent.text, locale)),
    locale,
    accepted_at: now.toISOString(),
  }
  const next = { step: 'consent', status: 'completed', attempts_used: 0, progress } as const
  await operations.database.transaction((tx) => keepStep(operations, tx, session, view.record, next, now))
  return presentState(operations, visit)
}
