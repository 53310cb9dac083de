import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { birthDate, expiryDate, isPossibleDate, todayOf } from './dates.ts'

const today = todayOf(new Date('2026-03-15T12:00:00Z'))

describe('two-digit years', () => {
  test.each([
    ['260315', '2026-03-15'],
    ['260316', '1926-03-16'],
    ['740812', '1974-08-12'],
    ['000229', '2000-02-29'],
    ['270101', '1927-01-01'],
  ])('a birth on %s was %s: never in the future', (raw, date) => {
    expect(birthDate(raw, today)).toBe(date)
  })

  test.each([
    ['260314', '2026-03-14'],
    ['560101', '2056-01-01'],
    ['570101', '1957-01-01'],
    ['991231', '1999-12-31'],
  ])('an expiry on %s is %s: at most thirty years ahead', (raw, date) => {
    expect(expiryDate(raw, today)).toBe(date)
  })

  test('a birth lies in the hundred years up to today, an expiry in those up to thirty years ahead', () => {
    const raw = fc
      .tuple(fc.nat(99), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(''))
    fc.assert(
      fc.property(raw, (text) => {
        const birth = birthDate(text, today)!
        expect(birth > '1926-03-15' && birth <= '2026-03-15').toBe(true)
        const expiry = expiryDate(text, today)!
        expect(expiry >= '1957-01-01' && expiry < '2057-01-01').toBe(true)
      }),
    )
  })
})

describe('isPossibleDate', () => {
  const possible = (raw: string) => isPossibleDate(raw, birthDate(raw, today))

  test('accepts dates with unknown parts, which resolve to no day', () => {
    for (const raw of ['<<<<<<', '74<<<<', '7408<<', '<<0812']) {
      expect(possible(raw)).toBe(true)
      expect(birthDate(raw, today)).toBeNull()
    }
  })

  test('rejects days and months that do not exist', () => {
    for (const raw of ['000000', '230229', '991301', '990431', '8813<<', '88<<32', '7A0101', '74081<']) {
      expect(possible(raw)).toBe(false)
    }
  })
})
