import { expect, test } from '@jest/globals'
import { createBatchedLookup } from './batched-lookup.ts'

const keysOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

/** A store that contains only `valid`, whose statements the test completes one by one. */
function slowStore() {
  const statements: { keys: readonly string[]; complete(): void }[] = []
  const find = (keys: readonly string[]) =>
    new Promise<Map<string, string>>((resolve) => {
      statements.push({
        keys,
        complete: () => resolve(new Map(keys.includes('valid') ? [['valid', 'row']] : [])),
      })
    })
  return { statements, find }
}
const turn = () => new Promise((resume) => setImmediate(resume))

test('a valid key behind a thousand guesses is found by the next statement, and at most two statements run concurrently', async () => {
  const { statements, find } = slowStore()
  const lookup = createBatchedLookup(find, { maxBatch: 2_000 })
  const first = lookup('first')
  await turn()
  const second = lookup('second')
  await turn()
  const guesses = keysOf('guess', 1_000).map((key) => lookup(key))
  const valid = lookup('valid')
  await turn()
  expect(statements.map(({ keys }) => keys.length)).toEqual([1, 1])
  statements[0]?.complete()
  expect(await first).toBeUndefined()
  await turn()
  expect(statements[2]?.keys).toHaveLength(1_001)
  expect(statements).toHaveLength(3)
  statements[2]?.complete()
  expect(await valid).toBe('row')
  expect(await Promise.all(guesses)).toEqual(Array(1_000).fill(undefined))
  statements[1]?.complete()
  expect(await second).toBeUndefined()
})

test('a key that many requests look up is queried once', async () => {
  const { statements, find } = slowStore()
  const lookup = createBatchedLookup(find)
  const answers = Array.from({ length: 50 }, () => lookup('valid'))
  await turn()
  expect(statements.map(({ keys }) => keys)).toEqual([['valid']])
  statements[0]?.complete()
  expect(await Promise.all(answers)).toEqual(Array(50).fill('row'))
})

test('a statement that fails rejects its own keys, and the next keys are looked up', async () => {
  let fail = true
  const lookup = createBatchedLookup(async (keys) => {
    if (fail) throw new Error('connection lost')
    return new Map(keys.map((key) => [key, 'row']))
  })
  await expect(Promise.all([lookup('a'), lookup('b')])).rejects.toThrow('connection lost')
  fail = false
  expect(await lookup('a')).toBe('row')
})

test('no statement has more than maxBatch keys', async () => {
  const sizes: number[] = []
  const lookup = createBatchedLookup<string>(
    async (keys) => {
      sizes.push(keys.length)
      return new Map()
    },
    { maxBatch: 10 },
  )
  await Promise.all(keysOf('key', 95).map((key) => lookup(key)))
  expect(sizes).toEqual([...Array(9).fill(10), 5])
})
