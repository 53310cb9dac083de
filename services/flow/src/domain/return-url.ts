import type { SessionStatus } from '@kyc/common'

/**
 * The URL that the person returns to: the client's URL, unchanged, with `session_id`, `status` and `result_token`
 * appended to its query, before its fragment. Parsing and serialising the URL would change signed or unusual queries.
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
