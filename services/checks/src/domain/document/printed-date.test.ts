import { describe, expect, test } from '@jest/globals'
import { readPrintedDate } from './printed-date.ts'

const today = new Date('2026-01-31T12:00:00Z')

describe('readPrintedDate', () => {
  test.each([
    ['12 DEC 1982', '1982-12-12'],
    ['12DEC1982', '1982-12-12'],
    ['01 JAN /JAN 85', '1985-01-01'],
    ['20 FÉV/FEB 79', '1979-02-20'],
    ['12 AOÛT/AUG 64', '1964-08-12'],
    ['01.01.1911', '1911-01-01'],
    ['1982-12-31', '1982-12-31'],
    ['31/12/82', '1982-12-31'],
    ['14 07 2015', '2015-07-14'],
    ['16072021', '2021-07-16'],
    ['Dec 12, 1982', '1982-12-12'],
    ['O5 MAR 2017', '2017-03-05'],
    ['3. MÄRZ 1990', '1990-03-03'],
    ['15 SETTEMBRE 2001', '2001-09-15'],
  ])('reads %s', (text, expected) => {
    expect(readPrintedDate(text, { today, kind: 'birth' })[0]).toBe(expected)
  })

  test('returns the day-first date first and the other order as well', () => {
    expect(readPrintedDate('03/04/2020', { today, kind: 'any' })).toEqual(['2020-04-03', '2020-03-04'])
    expect(readPrintedDate('03/04/2020', { today, kind: 'any', dayFirst: false })[0]).toBe('2020-03-04')
  })

  test('resolves two-digit years by the kind of date', () => {
    expect(readPrintedDate('01 MAR 30', { today, kind: 'expiry' })[0]).toBe('2030-03-01')
    expect(readPrintedDate('01 MAR 30', { today, kind: 'birth' })[0]).toBe('1930-03-01')
  })

  test.each(['31 FEB 2020', '00/12/1990', 'MARTIN', '12 XYZ 1990', '', '123456789012', 'JUNE'])(
    'finds no date in %p',
    (text) => {
      expect(readPrintedDate(text, { today, kind: 'any' })).toEqual([])
    },
  )
})
