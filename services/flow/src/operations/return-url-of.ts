import type { FlowSession, SessionStatus } from '@kyc/common'
import { SignJWT } from 'jose'
import { returnUrl } from '../domain/return-url.ts'
import type { Operations } from './context.ts'

const resultTokenMinutes = 10

/** Where the client wants the person back, with `status` as a hint; null when it named no address. */
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

/** Says, signed and for a short time, what status the person was sent back with. A hint: the API decides. */
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
