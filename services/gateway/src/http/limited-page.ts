import { rateLimitedPagePath } from '@kyc/common'
import { ExpiringMap } from '@kyc/runtime'

const cachedMs = 60_000
const timeoutMs = 2_000
/** The page's policy headers; the other headers of the response do not apply to the client. */
const passedOn = [
  'content-type',
  'content-security-policy',
  'permissions-policy',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cache-control',
  'x-content-type-options',
  'x-frame-options',
]

export type LimitedPage = { headers: Record<string, string>; body: Buffer }

/**
 * The flow's page for a person whose navigation is rate-limited. It is the same for everybody and is fetched once a
 * minute, so that a flood of navigations reaches the flow no more than a flood of calls does. Undefined if the flow
 * does not provide the page.
 */
export function createLimitedPage(flowUrl: string): () => Promise<LimitedPage | undefined> {
  const cache = new ExpiringMap<LimitedPage | undefined>({ ttlMs: cachedMs, now: () => performance.now() })
  const fetchPage = async (): Promise<LimitedPage | undefined> => {
    const response = await fetch(new URL(rateLimitedPagePath, flowUrl), {
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body = Buffer.from(await response.arrayBuffer())
    if (response.status !== 429) return undefined
    const headers = Object.fromEntries(
      passedOn.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
    return { headers, body }
  }
  return () => cache.get('page', fetchPage)
}
