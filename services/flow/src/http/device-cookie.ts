import type { Request, Response } from 'express'
import { deviceSeconds } from '../domain/handoff-rules.ts'

const plainName = 'flow_device'

/**
 * Over TLS the name has the prefix `__Secure-`, so that a page loaded without TLS cannot set it (RFC 6265bis, section
 * 4.1.3). `__Host-` would require `Path=/`, which would send the secret to every other link.
 */
const nameFor = (flowUrl: string) => (isSecure(flowUrl) ? `__Secure-${plainName}` : plainName)
const isSecure = (flowUrl: string) => flowUrl.startsWith('https:')

/** The secret of a device that confirmed a hand-off; null without the cookie or with several of the same name. */
export function deviceOf(request: Request, flowUrl: string): string | null {
  const prefix = `${nameFor(flowUrl)}=`
  const found = (request.headers.cookie ?? '').split('; ').filter((part) => part.startsWith(prefix))
  const secret = found.length === 1 ? (found[0]?.slice(prefix.length) ?? '') : ''
  return /^[A-Za-z0-9_-]{16,128}$/.test(secret) ? secret : null
}

/** Sets a cookie that is sent to this link only, not readable by scripts, and Secure if the flow is served over TLS. */
export function rememberDevice(response: Response, flowUrl: string, token: string, secret: string): void {
  response.cookie(nameFor(flowUrl), secret, {
    path: `/flow/${encodeURIComponent(token)}`,
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(flowUrl),
    maxAge: deviceSeconds * 1000,
  })
}
