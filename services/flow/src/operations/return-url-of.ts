import type { FlowSession, SessionStatus } from '@kyc/common'
import { SignJWT } from 'jose'
import { returnUrl } from '../domain/return-url.ts'
import type { Operations } from './context.ts'

const resultTokenMinutes = 10

/** The client's return URL, with `status` as a hint; null if the client configured none. */
export async function returnUrlOf(
  operations: Operations,
  session: FlowSession,
  status: SessionStatus,
): Promise<string | null> {
  const base = session.callback_url ?? session.config.redirect_url
  if (base === null) return null
  const token = await resultToken(operations, session, status)
  return returnUrl(base, { session_id: session.session_id, status, result_token: token })
}

/** Signed, short-lived statement of the status at the redirect. Only a hint; the API is authoritative. */
function resultToken(operations: Operations, session: FlowSession, status: string): Promise<string> {
  const now = Math.floor(operations.clock.now().getTime() / 1000)
  return new SignJWT({ session_id: session.session_id, status })
    .setProtectedHeader({ alg: 'HS256', typ: 'kyc-result+jwt' })
    .setIssuer('flow')
    .setAudience(session.app_id)
    .setIssuedAt(now)
    .setExpirationTime(now + resultTokenMinutes * 60)
    .sign(new TextEncoder().encode(operations.config.RESULT_TOKEN_SECRET))
}
