import type { ApiError } from '@kyc/web-kit'

/** Transient failures that a retry may resolve: no response, an unavailable service, too many requests. */
export const isPassing = ({ code, status }: Pick<ApiError, 'code' | 'status'>): boolean =>
  code === 'network' || status === 429 || status === 502 || status === 503 || status === 504

const firstMs = 800
const longestMs = 15_000

/**
 * Milliseconds to wait after attempt number `attempt` (from 1): exponential backoff with up to 20% jitter, so that many
 * pages do not retry at once; never less than the server's `retry-after`.
 */
export function waitBefore(attempt: number, retryAfterSeconds: number | null, random: () => number): number {
  const backoff = Math.min(longestMs, firstMs * 2 ** (attempt - 1))
  return Math.max(backoff * (1 + random() * 0.2), (retryAfterSeconds ?? 0) * 1000)
}

/** Resolves after `ms`, or immediately when the connection returns or `signal` is aborted. */
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
