import type { SessionStatus } from '@kyc/common'

/**
 * Where the person goes at the end: the client's URL, character for character, with `session_id`, `status` and
 * `result_token` after its query and before its fragment. Parsing and writing it again would change signed or unusual
 * queries.
 */
export function returnUrl(
  base: string,
  result: { session_id: string; status: SessionStatus; result_token: string },
): string {
  const hash = base.indexOf('#')
  const end = hash === -1 ? base.length : hash
  const [url, fragment] = [base.slice(0, end), base.slice(end)]
  const query = url.indexOf('?')
  const separator = query === -1 ? '?' : query === url.length - 1 || url.endsWith('&') ? '' : '&'
  return `${url}${separator}${new URLSearchParams(result)}${fragment}`
}
