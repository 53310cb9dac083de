import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { newId, newToken, randomHex, randomText } from './ids.ts'

afterEach(() => void jest.restoreAllMocks())

const makers: [string, () => string, RegExp, number][] = [
  ['an id', () => newId('session').replace('ses_', ''), /^[A-Za-z0-9]{24}$/, 62],
  ['a token', newToken, /^[A-Za-z0-9]{43}$/, 62],
  ['hex', () => randomHex(16), /^[0-9a-f]{32}$/, 16],
]

describe.each(makers)('%s', (_, make, form, symbols) => {
  test('has at least 128 random bits', () => {
    const value = make()
    expect(value).toMatch(form)
    expect(value.length * Math.log2(symbols)).toBeGreaterThanOrEqual(128)
  })

  test('does not come from Math.random', () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5)
    // More than one block of random bytes.
    expect(new Set(Array.from({ length: 1_000 }, make)).size).toBe(1_000)
    expect(Math.random).not.toHaveBeenCalled()
  })

  test('is never repeated', () => {
    expect(new Set(Array.from({ length: 10_000 }, make)).size).toBe(10_000)
  })
})

test('random text is uniform over all characters', () => {
  const counts = new Map<string, number>()
  const total = 620_000
  for (const character of randomText(total)) counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 10,000 of each are expected, with a standard deviation of 99. Without rejection sampling, 8 characters would get a
  // quarter more.
  for (const count of counts.values()) expect(Math.abs(count - total / 62)).toBeLessThan(700)
})
