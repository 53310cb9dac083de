import { conflict, sealContexts, startSession } from '@kyc/common'
import { flowSessionStore } from '../store/flow-sessions.ts'
import { type Operations, scopeOf, type Visit } from './context.ts'

/** Before any step, starts the session and creates the row of the round. Throws `conflict` in any other status. */
export async function ensureStarted(operations: Operations, visit: Visit, locale?: string): Promise<Visit> {
  const { session } = visit
  if (session.status !== 'not_started' && session.status !== 'in_progress') {
    throw conflict(`The session is ${session.status}.`)
  }
  const store = flowSessionStore(operations.prisma)
  if (session.status === 'in_progress' && (await store.find(session.session_id, session.round))) {
    if (locale) {
      const chosen = chooseLocale(session.config.locales, locale)
      await store.setLocale(session.session_id, session.round, chosen)
    }
    return visit
  }
  const { status } = await operations.bus.request(startSession, scopeOf(session), {
    traceparent: visit.traceparent,
  })
  if (status !== 'in_progress') throw conflict(`The session is ${status}.`)
  const sealedAddress =
    visit.address === null
      ? null
      : await operations.vault.seal(scopeOf(session), sealContexts.client_address, { address: visit.address })
  await store.begin({
    session_id: session.session_id,
    round: session.round,
    app_id: session.app_id,
    locale: chooseLocale(session.config.locales, locale ?? (await store.newest(session.session_id))?.locale),
    sealed_client_address: sealedAddress ? new Uint8Array(sealedAddress) : null,
    at: operations.clock.now(),
  })
  return { ...visit, session: { ...session, status } }
}

/** The wanted language if the workflow offers it (or its base language), else the workflow's first. */
export function chooseLocale(locales: readonly string[], wanted: string | undefined): string {
  const base = wanted?.split('-')[0]
  return (
    locales.find((locale) => locale === wanted) ??
    locales.find((locale) => locale.split('-')[0] === base) ??
    locales[0] ??
    'en'
  )
}
