import type { ServerResponse } from 'node:http'

/**
 * The default headers of every response: its content must not run, be framed or be stored. A page's own policy (the
 * flow's, the console's) replaces this one. `access-control-allow-origin` is never set, so that scripts of other
 * origins cannot read a response.
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

/**
 * Two years. Sent only if clients use https, because the header has no meaning over http and would lock out localhost.
 */
const transportSecurity = 'max-age=63072000; includeSubDomains'

export function securityHeaders(publicUrl: string): (response: ServerResponse) => void {
  const headers = Object.entries(always)
  if (publicUrl.startsWith('https:')) headers.push(['strict-transport-security', transportSecurity])
  return (response) => {
    for (const [name, value] of headers) response.setHeader(name, value)
  }
}
