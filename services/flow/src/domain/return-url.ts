import type { SessionStatus } from '@kyc/common'

/** Where the person goes at the end: the client's URL with `session_id`, `status` and `result_token` appended. */
export function returnUrl(
  base: string,
  result: { session_id: string; status: SessionStatus; result_token: string },
): string {
  const url = new URL(base)
  for (const [name, value] of Object.entries(result)) url.searchParams.set(name, value)
  return url.toString()
}
