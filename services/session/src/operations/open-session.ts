import { type FlowSession, notFound, sealContexts, toTimestamp } from '@kyc/common'
import { dueAt } from '../domain/schedule.ts'
import { findApp } from '../store/apps.ts'
import type { SessionRecord } from '../store/session-record.ts'
import { findSessionByToken, touchSession } from '../store/sessions.ts'
import { type Operations, scopeOf } from './context.ts'
import { openPersonal } from './personal.ts'
import { settleClock } from './settle-clock.ts'

/** Finds the session of a flow token and records the request as activity of the person. */
export async function openSession(operations: Operations, tokenSha256: string): Promise<FlowSession> {
  const { database, clock, config } = operations
  const found = await findSessionByToken(database, Buffer.from(tokenSha256, 'hex'))
  if (!found) throw notFound('link')
  const session = await settleClock(operations, found)
  if (session.status === 'in_progress') {
    const now = clock.now()
    const limits = {
      abandon_after_minutes: session.config.abandon_after_minutes,
      processing_deadline_ms: config.PROCESSING_DEADLINE_SECONDS * 1000,
    }
    await touchSession(
      database,
      session,
      now,
      dueAt('in_progress', { ...session, last_activity_at: now }, limits),
    )
  }
  const app = await findApp(database, session.app_id)
  return {
    ...scopeOf(session),
    environment: session.environment,
    round: session.round,
    status: session.status,
    workflow_id: session.workflow_id,
    config: session.config,
    app: { name: app?.name ?? '', logo_url: app?.logo_url ?? null, accent: app?.accent ?? null },
    callback_url: session.callback_url,
    sealed_contact_email: await contactEmail(operations, session),
    expires_at: toTimestamp(session.expires_at),
    test_scenario: session.test_scenario,
  }
}

async function contactEmail(operations: Operations, session: SessionRecord): Promise<string | null> {
  const { contact_email: email } = await openPersonal(operations.vault, session)
  if (email === null) return null
  return (await operations.vault.seal(scopeOf(session), sealContexts.email, { email })).toString('base64')
}
