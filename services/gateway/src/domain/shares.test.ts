import { expect, test } from '@jest/globals'
import { createShares } from './shares.ts'

const taken = (shares: ReturnType<typeof createShares>, caller: string, tries: number) =>
  Array.from({ length: tries }, () => shares.take(caller)).filter(Boolean).length

test('limits one caller to three quarters, and reserves the rest for callers within their share', () => {
  const shares = createShares({ total: 16, share: 2 })
  expect(taken(shares, 'busy', 20)).toBe(12)
  expect(taken(shares, 'other', 20)).toBe(2)
  expect(taken(shares, 'third', 20)).toBe(2)
  expect(shares.used).toBe(16)
  expect(shares.take('fourth')).toBe(false)
})

test('released amounts are available to every caller', () => {
  const shares = createShares({ total: 4, share: 1 })
  expect(taken(shares, 'a', 9)).toBe(3)
  for (let slot = 0; slot < 3; slot++) shares.release('a')
  expect(shares.used).toBe(0)
  expect(taken(shares, 'b', 9)).toBe(3)
})

test('takes an amount completely or not at all', () => {
  const shares = createShares({ total: 100, share: 30 })
  expect(shares.take('a', 75)).toBe(true)
  expect(shares.take('b', 31)).toBe(false)
  expect(shares.take('b', 25)).toBe(true)
  expect(shares.used).toBe(100)
})
