import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Logger, newId, silentLogger } from '@kyc/runtime'
import { createLimits, type Limits } from '../src/http/limits.ts'
import { type RedisServer, redisIsInstalled, startRedis } from './redis.ts'

const installed = redisIsInstalled()
if (!installed) console.warn('skipped: limits through Redis need redis-server')
const describeWithRedis = installed ? describe : describe.skip

describeWithRedis('limits shared through Redis', () => {
  let redis: RedisServer
  const replicas: Limits[] = []
  const warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }
  const replica = () => {
    const limits = createLimits({ redisUrl: redis.url, perKey: 10, perKeyImages: 4, logger })
    replicas.push(limits)
    return limits
  }
  const answer = () => new ServerResponse(new IncomingMessage(new Socket()))
  /** For each of `count` requests of one key, whether it was within the limit. */
  const ask = async (limits: Limits, subject: string, count: number): Promise<boolean[]> => {
    const passed: boolean[] = []
    for (let index = 0; index < count; index++) {
      passed.push(
        await limits.count(answer(), 'key', subject).then(
          () => true,
          (error: { code?: string }) => {
            expect(error.code).toBe('rate_limited')
            return false
          },
        ),
      )
    }
    return passed
  }
  const until = async (condition: () => Promise<boolean>) => {
    const deadline = Date.now() + 10_000
    while (!(await condition())) {
      if (Date.now() > deadline) throw new Error('the condition did not come true')
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  /** True once a replica counts in Redis, because a second one then sees its count. */
  const isShared = async (a: Limits, b: Limits) => {
    const subject = newId('api_key')
    await a.count(answer(), 'key', subject)
    const seen = answer()
    await b.count(seen, 'key', subject)
    return seen.getHeader('ratelimit-remaining') === 8
  }

  beforeAll(async () => {
    redis = await startRedis()
  })
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map((limits) => limits.close()))
  })
  afterAll(() => redis.kill())

  test('are one count for two replicas, with the same headers', async () => {
    const [a, b] = [replica(), replica()]
    await until(() => isShared(a, b))
    const key = newId('api_key')
    expect(await ask(a, key, 6)).toEqual(Array(6).fill(true))
    const seen = answer()
    await b.count(seen, 'key', key)
    expect(seen.getHeader('ratelimit-limit')).toBe(10)
    expect(seen.getHeader('ratelimit-remaining')).toBe(3)
    expect(Number(seen.getHeader('ratelimit-reset'))).toBeGreaterThan(0)
    expect(await ask(b, key, 4)).toEqual([true, true, true, false])
    expect(await ask(a, key, 1)).toEqual([false])
  })

  test('are counted per replica while Redis is unavailable, and shared again when it is back', async () => {
    const [a, b] = [replica(), replica()]
    await until(() => isShared(a, b))
    await redis.kill()
    const key = newId('api_key')
    expect(await ask(a, key, 11)).toEqual([...Array(10).fill(true), false])
    expect(await ask(b, key, 11)).toEqual([...Array(10).fill(true), false])
    await until(async () => warnings.length > 0)
    await redis.start()
    await until(() => isShared(a, b))
  })

  test('on guesses are shared too: an address that reached the limit on one replica is rejected on the other', async () => {
    const [a, b] = [replica(), replica()]
    await until(() => isShared(a, b))
    const address = '198.51.100.7'
    for (let guess = 0; guess < 10; guess++) await a.count(answer(), 'unknown', address)
    await expect(b.count(answer(), 'unknown', address)).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
