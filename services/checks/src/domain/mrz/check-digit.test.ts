import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { checkDigit, weightedSum } from './check-digit.ts'

const text = fc.stringMatching(/^[A-Z0-9<]{1,40}$/)

describe('checkDigit', () => {
  test.each([
    ['520727', '3'],
    ['AB2134<<<', '5'],
    ['L898902C3', '6'],
    ['740812', '2'],
    ['HA672242<658022549601086<<<<<<<<<<<<<<0', '8'],
    ['<<<<<<', '0'],
  ])('of %s is %s, as in ICAO 9303', (field, digit) => {
    expect(checkDigit(field)).toBe(digit)
  })

  test('is null for characters outside the MRZ alphabet', () => {
    for (const field of ['12a', '1 2', 'É', '1-2']) expect(checkDigit(field)).toBeNull()
  })

  test('detects every changed digit', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{1,20}$/),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (digits, at, by) => {
          const index = at % digits.length
          const changed = String((Number(digits[index]) + by) % 10)
          expect(checkDigit(digits.slice(0, index) + changed + digits.slice(index + 1))).not.toBe(
            checkDigit(digits),
          )
        },
      ),
    )
  })

  test('the sum over the pieces of a composite equals the sum over the whole', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const whole = left + right
        const parts = weightedSum(left, 0, left.length) + weightedSum(right, 0, right.length, left.length % 3)
        expect(parts % 10).toBe(weightedSum(whole, 0, whole.length))
      }),
    )
  })
})
