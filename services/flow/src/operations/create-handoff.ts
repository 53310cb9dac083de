import { randomInt } from 'node:crypto'
import { conflict, type endpoints, type FlowState, notFound, openSession, toTimestamp } from '@kyc/common'
import { newToken, sha256Hex } from '@kyc/runtime'
import { correction, generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import type { z } from 'zod'
import { handoffLifetimeMs, maxHandoffTries } from '../domain/handoff-rules.ts'
import { confirmHandoff, insertHandoff } from '../store/handoffs.ts'
import type { Operations, Visit } from './context.ts'
import type { Caller, UnconfirmedHandoff } from './open-visit.ts'
import { presentState } from './present-state.ts'

const hashCode = (operations: Operations, appScope: { app_id: string }, tokenSha256: string, code: string) =>
  operations.vault.keyedHash(appScope, 'handoff.code', `${tokenSha256} ${code}`)

/** Creates a single-use link, valid for ten minutes, that opens on a device where the code is entered. */
export async function createHandoff(
  operations: Operations,
  { session, token_sha256 }: Visit,
): Promise<z.input<typeof endpoints.createHandoff.success.body>> {
  if (!session.config.handoff.enabled) throw conflict('Continuing on another device is switched off.')
  if (session.status !== 'not_started' && session.status !== 'in_progress')
    throw conflict(`The session is ${session.status}.`)
  const token = newToken()
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  const expiresAt = new Date(operations.clock.now().getTime() + handoffLifetimeMs)
  const tokenSha256 = sha256Hex(token)
  await insertHandoff(operations.database, {
    token_sha256: tokenSha256,
    session_id: session.session_id,
    session_token_sha256: token_sha256,
    code_hash: await hashCode(operations, session, tokenSha256, code),
    expires_at: expiresAt,
  })
  const url = `${operations.flowUrl}/flow/${token}`
  const qr = generate(url, { minCorrectionLevel: correction.M })
  return { url, qr_svg: toSvgSource(qr), code, expires_at: toTimestamp(expiresAt) }
}

/**
 * Confirms the code typed on the phone. From then on this link gives the same access as the first one, to the bearer
 * of `device`, a secret that this one device receives as a cookie.
 */
export async function confirmOnThisDevice(
  operations: Operations,
  caller: Caller,
  handoff: UnconfirmedHandoff,
  code: string | undefined,
): Promise<{ state: FlowState; device: string }> {
  const { row, token_sha256 } = handoff
  if (code === undefined) throw conflict('Confirm the code on this device first.')
  const visit = await visitOfHandoff(operations, handoff, caller)
  const device = newToken()
  const attempt = {
    code_hash: await hashCode(operations, visit.session, token_sha256, code),
    device_sha256: sha256Hex(device),
    now: operations.clock.now(),
    max_tries: maxHandoffTries,
  }
  if (!(await confirmHandoff(operations.database, token_sha256, attempt))) {
    throw row.tries + 1 >= maxHandoffTries
      ? notFound('link')
      : conflict('The code is not right, or the link was used.')
  }
  return { state: await presentState(operations, visit), device }
}

async function visitOfHandoff(
  operations: Operations,
  { row }: UnconfirmedHandoff,
  { address, traceparent }: Caller,
): Promise<Visit> {
  const session = await operations.bus.request(openSession, { token_sha256: row.session_token_sha256 })
  return { session, token_sha256: row.session_token_sha256, address, traceparent }
}
