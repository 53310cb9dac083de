import { describe, expect, test } from '@jest/globals'
import { todayOf } from '../mrz/dates.ts'
import { td3 } from '../mrz/layouts.ts'
import { readLines } from '../mrz/read-lines.ts'
import { crossCheck } from './cross-check.ts'
import type { PrintedLine } from './printed-line.ts'

const today = new Date('2026-01-31T12:00:00Z')
const zone = (name: string) =>
  readLines(
    [`P<UTO${name}`.padEnd(44, '<').slice(0, 44), 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'],
    td3,
    todayOf(today),
  )
const print = (value: string, confidence = 0.99) => ({ value, alternatives: [], confidence })
const line = (text: string): PrintedLine => ({ text, confidence: 0.99, left: 0, right: 9, top: 0, bottom: 9 })
const matches = (...input: Parameters<typeof crossCheck>) =>
  Object.fromEntries(crossCheck(...input).map(({ field, match }) => [field, match]))

describe('crossCheck', () => {
  test('compares names after transliteration, and dates and numbers exactly', () => {
    const visual = {
      surname: print('Müller-Öztürk'),
      given_names: print('Anna María'),
      document_number: print('L898902C3'),
      birth_date: print('1974-08-12'),
      expiry_date: print('2012-04-15'),
    }
    expect(matches(zone('MUELLER<OEZTUERK<<ANNA<MARIA'), visual, [], today)).toEqual({
      surname: true,
      given_names: true,
      document_number: true,
      birth_date: true,
      expiry_date: true,
    })
  })

  test('accepts a longer printed name only when the MRZ truncates the name', () => {
    const long = 'PAPANDROPOULOUS<<JONATHON<ALEXANDERSONSSON'
    expect(matches(zone(long), { given_names: print('Jonathon Alexandersonsson') }, [], today)).toEqual({
      given_names: true,
    })
    expect(matches(zone('SMITH<<ANN'), { surname: print('SMITHSON') }, [], today)).toEqual({ surname: false })
  })

  test('reports one wrong digit as a mismatch', () => {
    const visual = { document_number: print('L898902C4'), birth_date: print('1974-08-13') }
    expect(matches(zone('DOE<<J'), visual, [], today)).toEqual({ document_number: false, birth_date: false })
  })

  test('a low-confidence value can confirm but never contradict', () => {
    expect(matches(zone('ERIKSSON<<ANNA'), { surname: print('XRIKQQON', 0.5) }, [], today)).toEqual({})
    expect(matches(zone('ERIKSSON<<ANNA'), { surname: print('ERIKSS0N', 0.9) }, [], today)).toEqual({
      surname: true,
    })
  })

  test('a printed hyphen contradicts an MRZ that joins the names, even without a label', () => {
    const printed = [line('OSPELT-BECK')]
    expect(matches(zone('OSPELTBECK<<MARISA'), {}, printed, today)).toEqual({ surname: false })
    expect(matches(zone('OSPELT<BECK<<MARISA'), {}, printed, today)).toEqual({ surname: true })
    const unsure = [{ ...line('OSPELT-BECK'), confidence: 0.8 }]
    expect(matches(zone('OSPELTBECK<<MARISA'), {}, unsure, today)).toEqual({ surname: true })
    // The MRZ omits apostrophes.
    expect(matches(zone('OCONNOR<<ANN'), {}, [line("O'CONNOR")], today)).toEqual({ surname: true })
  })

  test('a value found elsewhere on the page confirms', () => {
    const lines = [line('Passport No. L898902C3'), line('12 AUG / AOÛT 74'), line('ERIKSSON, ANNA')]
    expect(matches(zone('ERIKSSON<<ANNA'), { surname: print('BUSINESS') }, lines, today)).toEqual({
      surname: true,
      given_names: true,
      document_number: true,
      birth_date: true,
    })
  })

  test('accepts a date with day and month in either order', () => {
    const visual = { birth_date: { value: '1974-12-08', alternatives: ['1974-08-12'], confidence: 1 } }
    expect(matches(zone('DOE<<J'), visual, [], today)).toEqual({ birth_date: true })
  })
})
