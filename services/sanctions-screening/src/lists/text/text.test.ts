import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseBirthDate } from './birth-date.ts'
import { clean, cleanValue } from './clean.ts'
import { countryCode, countryCodes, onlyCountry } from './country.ts'
import { splitMarkedItems } from './items.ts'
import { scriptOf } from './script.ts'

const day = (date: string, circa = false) => ({ kind: 'day', date, circa })
const year = (value: number, circa = false) => ({ kind: 'year', year: value, circa })
const range = (from: string, to: string, circa = false) => ({ kind: 'range', from, to, circa })

describe('birth dates', () => {
  test.each([
    ['05 Jun 1950', day('1950-06-05')],
    ['5 June 1950', day('1950-06-05')],
    ['1950-06-05', day('1950-06-05')],
    ['05/06/1950', day('1950-06-05')],
    ['June 5, 1950', day('1950-06-05')],
    ['circa 07 Jul 1966', day('1966-07-07', true)],
    ['Apr 1961', { kind: 'month', month: '1961-04', circa: false }],
    ['00/04/1961', { kind: 'month', month: '1961-04', circa: false }],
    ['1953', year(1953)],
    ['00/00/1953', year(1953)],
    ['dd/mm/1945', year(1945)],
    ['Approximately 1963', year(1963, true)],
    ['1951 to 1953', range('1951-01-01', '1953-12-31')],
    ['Between 1951 and 1953', range('1951-01-01', '1953-12-31')],
    ['Approximately 1955- 1958', range('1955-01-01', '1958-12-31', true)],
    ['01 Jan 1976 to 31 Dec 1978', range('1976-01-01', '1978-12-31')],
    ['Between Aug. and Sep 1977', range('1977-08-01', '1977-09-30')],
  ])('reads %s', (text, expected) => {
    expect(parseBirthDate(text)).toEqual(expected)
  })

  test.each([
    '',
    'unknown',
    '31/02/1980',
    '1953 to 1951',
    '12 Foo 1980',
    '15/04/1363 (Hijri Calendar)',
    '0050',
    '99999',
  ])('returns null for %p', (text) => {
    expect(parseBirthDate(text)).toBeNull()
  })

  test('never throws and never returns a day that does not exist', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const birth = parseBirthDate(text)
        return (
          birth?.kind !== 'day' || new Date(`${birth.date}T00:00:00Z`).toISOString().startsWith(birth.date)
        )
      }),
    )
  })

  test('parses every day in the publishers’ formats', () => {
    const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2020-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(days, (date) => {
        const iso = date.toISOString().slice(0, 10)
        const [y, m, d] = iso.split('-')
        const month = date.toLocaleString('en', { month: 'short', timeZone: 'UTC' })
        for (const text of [iso, `${d}/${m}/${y}`, `${d} ${month} ${y}`])
          expect(parseBirthDate(text)).toEqual(day(iso))
      }),
    )
  })
})

describe('countries', () => {
  test.each([
    ['Iran (Islamic Republic of)', 'IRN'],
    ['Korea, North', 'PRK'],
    ["Democratic People's Republic of Korea", 'PRK'],
    ['Congo, Republic of the', 'COG'],
    ['Congo, Democratic Republic of the', 'COD'],
    ['Congo', 'COG'],
    ['Burma', 'MMR'],
    ['The Gambia', 'GMB'],
    ['Syria', 'SYR'],
    ['Filipino', 'PHL'],
    ['Afghanistan (since 2009)', 'AFG'],
    ['In Syria as at June 2013', 'SYR'],
    ['Former USSR Currently Ukraine', 'UKR'],
    ['Kosovo', 'XKX'],
    ['Türkiye', 'TUR'],
    ['Côte d’Ivoire', 'CIV'],
  ])('%s is %s', (text, code) => {
    expect(countryCode(text)).toBe(code)
  })

  test.each(['former Soviet Union', 'Moscow', 'na', 'undetermined', ''])('%p is not a country', (text) => {
    expect(countryCode(text)).toBeNull()
  })

  test('finds every nationality of a field', () => {
    expect(countryCodes('(1) Russian (2) USSR (until 1991)')).toEqual(['RUS'])
    expect(countryCodes('a) Syrian Arab Republic b) State of Palestine')).toEqual(['SYR', 'PSE'])
    expect(countryCodes('Russian and Ukrainian')).toEqual(['RUS', 'UKR'])
    expect(countryCodes('Bosnia and Herzegovina')).toEqual(['BIH'])
  })

  test('returns the country of a place only when no other is named', () => {
    expect(onlyCountry('(1) Uganda (2) Uganda (3)Uganda')).toBe('UGA')
    expect(onlyCountry('(1) Chad (2) Sudan')).toBeNull()
  })
})

describe('text', () => {
  test('removes invisible characters, collapses whitespace, and treats placeholders as null', () => {
    expect(clean('\u200eAbu\u00a0\n Omar\u202c ')).toBe('Abu Omar')
    expect(cleanValue('-0- ')).toBeNull()
    expect(cleanValue(' na ')).toBeNull()
  })

  test('cleaning twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = clean(text)
        return once === clean(once)
      }),
    )
  })

  test('splits only fields that begin with a letter or number marker', () => {
    expect(splitMarkedItems('a) 1966 b) 1960 c) 1953')).toEqual(['1966', '1960', '1953'])
    expect(splitMarkedItems('(1) Somalia. (2) Sweden')).toEqual(['Somalia', 'Sweden'])
    expect(splitMarkedItems('Ostravka (near b) river)')).toEqual(['Ostravka (near b) river)'])
  })

  test.each([
    ['محمد طاهر', 'Arab'],
    ['Велмур', 'Cyrl'],
    ['김경일', 'Hang'],
    ['王伟', 'Hani'],
    ['Velmoor Ashkan', undefined],
    ['Çağrı Öztürk', undefined],
  ])('detects the script of %s', (text, script) => {
    expect(scriptOf(text)).toBe(script)
  })
})
