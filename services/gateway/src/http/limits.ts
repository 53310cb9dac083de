import type { ServerResponse } from 'node:http'
import { PublicError } from '@kyc/common'
import type { Logger } from '@kyc/runtime'
import { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'

const windowSeconds = 60

type Options = {
  redisUrl: string | undefined
  perKey: number
  perKeyImages: number
  logger: Logger
}

/** What is counted, each in windows of one minute. */
export type LimitName = 'key' | 'image' | 'flow' | 'unknown'

/** Requests per flow token per minute; unknown tokens and keys per address block per minute. */
const fixedLimits = { flow: 60, unknown: 10 }

/**
 * Fixed windows, in memory or shared through Redis. If Redis is unavailable, each replica counts separately: limits are
 * then looser by the number of replicas, but still enforced.
 */
export function createLimits({ redisUrl, perKey, perKeyImages, logger }: Options) {
  const redis = redisUrl
    ? new Redis(redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500 })
    : undefined
  redis?.on('error', (error) => logger.warn('Redis is away; limits are counted per replica', { error }))

  const limiters = new Map<string, RateLimiterAbstract>()
  const limiterOf = (name: LimitName, points: number): RateLimiterAbstract => {
    const id = `${name}:${points}`
    const known = limiters.get(id)
    if (known) return known
    const settings = { keyPrefix: `limit:${name}`, points, duration: windowSeconds }
    const memory = new RateLimiterMemory(settings)
    const limiter = redis
      ? new RateLimiterRedis({ ...settings, storeClient: redis, insuranceLimiter: memory })
      : memory
    limiters.set(id, limiter)
    return limiter
  }
  const pointsOf = (name: LimitName, own: number | null): number => {
    if (name === 'key') return own ?? perKey
    if (name === 'image') return Math.min(perKeyImages, own ?? perKeyImages)
    return fixedLimits[name]
  }

  return {
    /** Counts one request and writes the limit's headers; throws `rate_limited` if it exceeds the limit. */
    async count(
      response: ServerResponse,
      name: LimitName,
      subject: string,
      own: number | null = null,
    ): Promise<void> {
      const points = pointsOf(name, own)
      try {
        writeHeaders(response, points, await limiterOf(name, points).consume(subject))
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason
        writeHeaders(response, points, reason)
        throw tooMany(reason)
      }
    },
    close: async () => {
      redis?.disconnect()
    },
  }
}
export type Limits = ReturnType<typeof createLimits>

const secondsUntilReset = (state: RateLimiterRes) => Math.max(1, Math.ceil(state.msBeforeNext / 1000))

function writeHeaders(response: ServerResponse, limit: number, state: RateLimiterRes): void {
  response.setHeader('ratelimit-limit', limit)
  response.setHeader('ratelimit-remaining', Math.max(0, state.remainingPoints))
  response.setHeader('ratelimit-reset', secondsUntilReset(state))
}

const tooMany = (state: RateLimiterRes) =>
  new PublicError('rate_limited', 'Too many requests; the window is one minute.', {
    retryAfterSeconds: secondsUntilReset(state),
  })
