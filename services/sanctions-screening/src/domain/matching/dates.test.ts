import { describe, expect, test } from '@jest/globals'
import { dateOfBirthMatches } from './dates.ts'

const day = (date: string, circa = false) => ({ kind: 'day', date, circa }) as const
const year = (value: number, circa = false) => ({ kind: 'year', year: value, circa }) as const

describe('dateOfBirthMatches', () => {
  test('a day matches only itself, its month and its year', () => {
    const listed = [day('1961-04-12')]
    expect(dateOfBirthMatches('1961-04-12', listed)).toBe(true)
    expect(dateOfBirthMatches('1961-04', listed)).toBe(true)
    expect(dateOfBirthMatches('1961', listed)).toBe(true)
    expect(dateOfBirthMatches('1961-04-13', listed)).toBe(false)
    expect(dateOfBirthMatches('1962', listed)).toBe(false)
  })

  test('a listed year matches every day in it, and an approximate year also the adjacent years', () => {
    expect(dateOfBirthMatches('1970-12-31', [year(1970)])).toBe(true)
    expect(dateOfBirthMatches('1971-01-01', [year(1970)])).toBe(false)
    expect(dateOfBirthMatches('1971-01-01', [year(1970, true)])).toBe(true)
    expect(dateOfBirthMatches('1972-01-01', [year(1970, true)])).toBe(false)
  })

  test('a range matches between its ends, and an open end has no limit', () => {
    const closed = [{ kind: 'range', from: '1958-01-01', to: '1963-12-31', circa: false }] as const
    expect(dateOfBirthMatches('1963', closed)).toBe(true)
    expect(dateOfBirthMatches('1964', closed)).toBe(false)
    const open = [{ kind: 'range', from: null, to: '1963-12-31', circa: false }] as const
    expect(dateOfBirthMatches('1900', open)).toBe(true)
  })

  test('one matching listed date is enough', () => {
    expect(dateOfBirthMatches('1980-02-03', [year(1975), day('1980-02-03')])).toBe(true)
  })

  test('is null when either side has no usable date', () => {
    expect(dateOfBirthMatches(null, [year(1970)])).toBeNull()
    expect(dateOfBirthMatches('1970', [])).toBeNull()
    expect(dateOfBirthMatches('about 1970', [year(1970)])).toBeNull()
  })
})
