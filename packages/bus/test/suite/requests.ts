import { expect, test } from '@jest/globals'
import { PublicError, UnavailableError, unprocessable } from '@kyc/common'
import { newTraceparent, traceIdOf } from '@kyc/runtime'
import { RemoteError, type RequestContext, RequestTimeoutError } from '../../src/index.ts'
import type { Current } from '../contract-suite.ts'
import { gate } from '../world.ts'

export function describeRequests(current: Current): void {
  const asked = async (
    respond: (number: number, context: RequestContext) => Promise<{ doubled: number }>,
    options?: { deadlineMs?: number; correlationId?: string; traceparent?: string },
  ) => {
    const { world } = current
    const bus = await world.bus()
    bus.respond(world.double, ({ number }, context) => respond(number, context))
    await bus.start()
    return bus.request(world.double, { number: 21 }, options)
  }

  test('a responder receives the correlation id and the trace of the request', async () => {
    const traceparent = newTraceparent()
    let context: RequestContext | undefined
    const answer = await asked(
      async (number, its) => {
        context = its
        return { doubled: 2 * number }
      },
      { correlationId: 'c-2', traceparent },
    )
    expect(answer).toEqual({ doubled: 42 })
    expect(context?.correlationId).toBe('c-2')
    expect(traceIdOf(context?.traceparent ?? '')).toBe(traceIdOf(traceparent))
  })

  test('many concurrent requests each get their own response', async () => {
    const { world } = current
    const bus = await world.bus()
    bus.respond(world.double, async ({ number }) => {
      for (let turn = number; turn < 50; turn++) await new Promise((next) => setImmediate(next))
      return { doubled: 2 * number }
    })
    await bus.start()
    const numbers = Array.from({ length: 50 }, (_, number) => number)
    const answers = await Promise.all(numbers.map((number) => bus.request(world.double, { number })))
    expect(answers.map(({ doubled }) => doubled)).toEqual(numbers.map((number) => 2 * number))
  })

  test('a public error crosses the bus with its code, message and retry-after', async () => {
    const refused = asked(() =>
      Promise.reject(new PublicError('conflict', 'Taken.', { retryAfterSeconds: 3 })),
    )
    await expect(refused).rejects.toBeInstanceOf(PublicError)
    await expect(refused).rejects.toMatchObject({ code: 'conflict', message: 'Taken.', retryAfterSeconds: 3 })
  })

  test('an unprocessable error keeps its code', async () => {
    await expect(asked(() => Promise.reject(unprocessable('No face found.')))).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'No face found.',
      retryAfterSeconds: undefined,
    })
  })

  test('an unavailable error keeps its type', async () => {
    const refused = asked(() => Promise.reject(new UnavailableError('Queue full.', 7)))
    await expect(refused).rejects.toBeInstanceOf(UnavailableError)
    await expect(refused).rejects.toMatchObject({ message: 'Queue full.', retryAfterSeconds: 7 })
  })

  test('any other error crosses the bus without its text', async () => {
    const error = await asked(() => Promise.reject(new Error('password=hunter2'))).catch(
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(RemoteError)
    expect(String(error)).not.toContain('hunter2')
  })

  test('a response that violates its contract is an error, not a response', async () => {
    const wrong = { doubled: 'many' } as unknown as { doubled: number }
    await expect(asked(async () => wrong)).rejects.toBeInstanceOf(RemoteError)
  })

  test('a request that violates its contract is not sent', async () => {
    const { world } = current
    const bus = await world.bus()
    await bus.start()
    const wrong = { number: 'one' } as unknown as { number: number }
    await expect(bus.request(world.double, wrong)).rejects.toThrow('number')
  })

  test('a deadline ends the request and aborts the signal of the responder', async () => {
    const aborted = gate()
    const late = asked(
      async (_, { signal }) => {
        signal.addEventListener('abort', () => aborted.open())
        await aborted.opened
        return { doubled: 0 }
      },
      { deadlineMs: 50 },
    )
    await expect(late).rejects.toBeInstanceOf(RequestTimeoutError)
    await expect(late).rejects.toBeInstanceOf(UnavailableError)
    await aborted.opened
  })

  test('a request without a responder fails immediately', async () => {
    const { world } = current
    const bus = await world.bus()
    await bus.start()
    const started = performance.now()
    await expect(bus.request(world.double, { number: 1 })).rejects.toBeInstanceOf(UnavailableError)
    expect(performance.now() - started).toBeLessThan(world.double.deadline_ms / 2)
  })

  test('a responder receives and returns copies', async () => {
    const { world } = current
    const given = { number: 1 }
    const kept = { doubled: 2 }
    const bus = await world.bus()
    bus.respond(world.double, async (request) => {
      request.number = 99
      return kept
    })
    await bus.start()
    const answer = await bus.request(world.double, given)
    expect(given).toEqual({ number: 1 })
    expect(answer).toEqual(kept)
    expect(answer).not.toBe(kept)
  })
}
