import { conflict, type FlowSession, notFound, openSession, PublicError } from '@kyc/common'
import { sha256Hex } from '@kyc/runtime'
import { maxHandoffTries } from '../domain/handoff-rules.ts'
import { findHandoff, type HandoffRow } from '../store/handoffs.ts'
import type { Operations, Visit } from './context.ts'

/** A hand-off link whose code is not yet confirmed; it permits only the confirmation. */
export type UnconfirmedHandoff = { token_sha256: string; row: HandoffRow }

export type Caller = {
  token: string
  /** The secret of a device that confirmed a hand-off; null on other devices. */
  device: string | null
  address: string | null
  traceparent: string
}

/** The state of a link for the device that opened it. */
export type LinkState = 'session' | 'handoff' | 'handoff_expired' | 'handoff_used' | 'unknown'

/** Resolves a token to a session, or to a hand-off that is not yet confirmed. Unknown tokens are 404. */
export async function resolveToken(
  operations: Operations,
  caller: Caller,
): Promise<{ visit: Visit } | { handoff: UnconfirmedHandoff }> {
  const tokenSha256 = sha256Hex(caller.token)
  const handoff = await findHandoff(operations.database, tokenSha256)
  if (handoff) {
    const state = handoffState(operations, handoff, caller)
    if (state === 'handoff') return { handoff: { token_sha256: tokenSha256, row: handoff } }
    if (state !== 'session') throw notFound('link')
  }
  const sessionToken = handoff?.session_token_sha256 ?? tokenSha256
  const { address, traceparent } = caller
  const session: FlowSession = await operations.bus.request(
    openSession,
    { token_sha256: sessionToken },
    { traceparent },
  )
  return { visit: { session, token_sha256: sessionToken, address, traceparent } }
}

/** A confirmed link works only on the device that confirmed it. */
function handoffState({ clock }: Operations, row: HandoffRow, { device }: Caller): LinkState {
  if (row.confirmed_at) {
    return device !== null && row.device_sha256 === sha256Hex(device) ? 'session' : 'handoff_used'
  }
  if (row.tries >= maxHandoffTries) return 'handoff_used'
  return row.expires_at <= clock.now() ? 'handoff_expired' : 'handoff'
}

/** The link state that the page shows before any step. Changes nothing, because link scanners open links too. */
export async function linkState(operations: Operations, caller: Caller): Promise<LinkState> {
  const handoff = await findHandoff(operations.database, sha256Hex(caller.token))
  if (handoff) return handoffState(operations, handoff, caller)
  try {
    await resolveToken(operations, caller)
    return 'session'
  } catch (error) {
    if (error instanceof PublicError && error.code === 'not_found') return 'unknown'
    throw error
  }
}

/** The session of a token, in any status. */
export async function openVisit(operations: Operations, caller: Caller): Promise<Visit> {
  const resolved = await resolveToken(operations, caller)
  if ('handoff' in resolved) throw conflict('Confirm the code on this device first.')
  return resolved.visit
}
