import type { ServerResponse } from 'node:http'

/**
 * What every answer carries unless the service behind says more: nothing of it may run, be framed or be kept. A page's
 * own policy (the flow's, the console's) takes the place of this one. No `access-control-allow-origin` is ever set:
 * other origins' scripts cannot read an answer.
 */
const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Two years, told only where clients come by https: over http the header means nothing, and on localhost it locks out. */
const transportSecurity = 'max-age=63072000; includeSubDomains'

export function securityHeaders(publicUrl: string): (response: ServerResponse) => void {
  const headers = Object.entries(always)
  if (publicUrl.startsWith('https:')) headers.push(['strict-transport-security', transportSecurity])
  return (response) => {
    for (const [name, value] of headers) response.setHeader(name, value)
  }
}
