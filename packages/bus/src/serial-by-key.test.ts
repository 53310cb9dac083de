import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { SerialByKey } from './serial-by-key.ts'

test('work of one key never overlaps and preserves its order, whatever the keys and durations', async () => {
  const item = fc.record({
    key: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
    turns: fc.nat(4),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 30 }), async (items) => {
      const serial = new SerialByKey()
      const running = new Set<string>()
      const order: { key: string | undefined; index: number }[] = []
      for (const [index, { key, turns }] of items.entries()) {
        void serial.run(key, async () => {
          if (key !== undefined) {
            expect(running.has(key)).toBe(false)
            running.add(key)
          }
          for (let turn = 0; turn < turns; turn++) await Promise.resolve()
          if (key !== undefined) running.delete(key)
          order.push({ key, index })
        })
      }
      await serial.idle()
      expect(serial.size).toBe(0)
      expect(order).toHaveLength(items.length)
      for (const key of ['a', 'b', 'c']) {
        const indexes = order.filter((done) => done.key === key).map(({ index }) => index)
        expect(indexes).toEqual(indexes.toSorted((a, b) => a - b))
      }
    }),
  )
})

test('work of different keys, or without a key, overlaps', async () => {
  const serial = new SerialByKey()
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
  }
  for (const key of ['a', 'b', undefined, undefined]) void serial.run(key, work)
  await serial.idle()
  expect(most).toBe(4)
})
