import type { Request, Response } from 'express'
import { deviceSeconds } from '../domain/handoff-rules.ts'

const name = 'flow_device'

/** The secret of a device that confirmed a hand-off. */
export function deviceOf(request: Request): string | null {
  const match = /(?:^|;\s*)flow_device=([A-Za-z0-9_-]{16,128})(?:;|$)/.exec(request.headers.cookie ?? '')
  return match?.[1] ?? null
}

/** Sent to this one link only, never to scripts; over TLS alone where the flow is served over TLS. */
export function rememberDevice(response: Response, flowUrl: string, token: string, secret: string): void {
  response.cookie(name, secret, {
    path: `/flow/${encodeURIComponent(token)}`,
    httpOnly: true,
    sameSite: 'strict',
    secure: flowUrl.startsWith('https:'),
    maxAge: deviceSeconds * 1000,
  })
}
