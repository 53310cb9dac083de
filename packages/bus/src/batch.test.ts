import { expect, test } from '@jest/globals'
import { Batches } from './batch.ts'
import { TransientError } from './errors.ts'

test('messages that arrive while a batch is handled form the next batch, in order', async () => {
  const batches: number[][] = []
  const handler = new Batches<number>(async (numbers) => {
    batches.push([...numbers])
    if (numbers[0] === 1) later = [handler.handle(3), handler.handle(4)]
    await Promise.resolve()
  })
  let later: Promise<void>[] = []
  await Promise.all([handler.handle(1), handler.handle(2)])
  await Promise.all(later)
  await handler.handle(5)
  expect(batches).toEqual([[1, 2], [3, 4], [5]])
})

test('one bad message fails without failing the rest of its batch', async () => {
  const done: number[] = []
  const handler = new Batches<number>(async (numbers) => {
    if (numbers.includes(2)) throw new Error('two')
    done.push(...numbers)
  })
  const settled = await Promise.allSettled([1, 2, 3].map((number) => handler.handle(number)))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(done).toEqual([1, 3])
})

test('an outage is not retried message by message', async () => {
  let calls = 0
  const handler = new Batches<number>(async () => {
    calls++
    throw new TransientError('away')
  })
  const settled = await Promise.allSettled([1, 2, 3].map((number) => handler.handle(number)))
  expect(settled.every(({ status }) => status === 'rejected')).toBe(true)
  expect(calls).toBe(1)
})
