import type { ApiError } from '@kyc/web-kit'

/** Failures that another try may mend: no answer at all, a service away, too many requests. */
export const isPassing = ({ code, status }: Pick<ApiError, 'code' | 'status'>): boolean =>
  code === 'network' || status === 429 || status === 502 || status === 503 || status === 504

const firstMs = 800
const longestMs = 15_000

/**
 * Milliseconds before try number `attempt` (from 1) is repeated: doubling, with a random fifth so that many pages
 * do not come back at once; never less than what the server asked for.
 */
export function waitBefore(attempt: number, retryAfterSeconds: number | null, random: () => number): number {
  const backoff = Math.min(longestMs, firstMs * 2 ** (attempt - 1))
  return Math.max(backoff * (1 + random() * 0.2), (retryAfterSeconds ?? 0) * 1000)
}

/** Resolves after `ms`, at once when the connection comes back or `signal` is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resume) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      signal?.removeEventListener('abort', done)
      resume()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done, { once: true })
    signal?.addEventListener('abort', done, { once: true })
  })
}
