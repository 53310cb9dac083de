import { conflict, type FlowSession, notFound, openSession } from '@kyc/common'
import { sha256Hex } from '@kyc/runtime'
import { findHandoff, type HandoffRow } from '../store/handoffs.ts'
import type { Operations, Visit } from './context.ts'

/** A link for a phone before its code was confirmed: it may be confirmed, and nothing else. */
export type UnconfirmedHandoff = { token_sha256: string; row: HandoffRow }

type Caller = { token: string; address: string | null; traceparent: string }

/** What a token stands for: a session, or a hand-off that still wants its code. Unknown tokens are 404. */
export async function resolveToken(
  operations: Operations,
  caller: Caller,
): Promise<{ visit: Visit } | { handoff: UnconfirmedHandoff }> {
  const tokenSha256 = sha256Hex(caller.token)
  const handoff = await findHandoff(operations.database, tokenSha256)
  if (handoff && !handoff.confirmed_at) {
    if (handoff.expires_at <= operations.clock.now()) throw notFound('link')
    return { handoff: { token_sha256: tokenSha256, row: handoff } }
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

/** The session of a token, whatever its status. */
export async function openVisit(operations: Operations, caller: Caller): Promise<Visit> {
  const resolved = await resolveToken(operations, caller)
  if ('handoff' in resolved) throw conflict('Confirm the code on this device first.')
  return resolved.visit
}
