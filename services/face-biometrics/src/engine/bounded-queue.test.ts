import { describe, expect, test } from '@jest/globals'
import { UnavailableError } from '@kyc/common'
import { BoundedQueue } from './bounded-queue.ts'

/** Work that ends when `end` is called. */
function held() {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  return { work: () => promise, end }
}
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('BoundedQueue', () => {
  test('runs work in order of arrival and never exceeds its concurrency', async () => {
    const queue = new BoundedQueue({ concurrency: 2, limit: 10 })
    const items = [held(), held(), held(), held()]
    const started: number[] = []
    const all = items.map((item, index) =>
      queue.run(async () => {
        started.push(index)
        await item.work()
      }),
    )
    await settle()
    expect(started).toEqual([0, 1])
    items[1]!.end()
    await settle()
    expect(started).toEqual([0, 1, 2])
    for (const item of items) item.end()
    await Promise.all(all)
    expect(started).toEqual([0, 1, 2, 3])
    expect([queue.running, queue.waiting]).toEqual([0, 0])
  })

  test('rejects work beyond its limit immediately, and accepts work again when there is room', async () => {
    const queue = new BoundedQueue({ concurrency: 1, limit: 1 })
    const first = held()
    const running = queue.run(first.work)
    const waiting = queue.run(async () => 'waited')
    await expect(queue.run(async () => 'refused')).rejects.toMatchObject({
      code: 'internal',
      retryAfterSeconds: 1,
    })
    await expect(queue.run(async () => 'refused')).rejects.toBeInstanceOf(UnavailableError)
    first.end()
    await running
    await expect(waiting).resolves.toBe('waited')
    await expect(queue.run(async () => 'again')).resolves.toBe('again')
  })

  test('frees the slot of work that fails', async () => {
    const queue = new BoundedQueue({ concurrency: 1, limit: 0 })
    await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(queue.run(async () => 1)).resolves.toBe(1)
  })

  test('is drained when the last work ends', async () => {
    const queue = new BoundedQueue({ concurrency: 1, limit: 5 })
    const item = held()
    const order: string[] = []
    const running = queue.run(item.work).then(() => order.push('work'))
    const drained = queue.drained().then(() => order.push('drained'))
    item.end()
    await Promise.all([running, drained])
    expect(order.sort()).toEqual(['drained', 'work'])
    await queue.drained()
  })
})
