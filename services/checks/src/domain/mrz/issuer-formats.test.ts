import { describe, expect, test } from '@jest/globals'
import { checkDigit } from './check-digit.ts'
import { parseMrz } from './index.ts'
import { numberForms } from './issuer-formats.ts'

const today = new Date('2026-03-15T12:00:00Z')
const read = (...lines: string[]) => parseMrz(lines, { today })?.document

const dates = `840812${checkDigit('840812')}F290415${checkDigit('290415')}`

const passport = (state: string, number: string, optional = '') => {
  const field = number.padEnd(9, '<')
  const data = optional.padEnd(14, '<')
  const body = `${field}${checkDigit(field)}${state}${dates}${data}${checkDigit(data)}`
  const covered = body.slice(0, 10) + body.slice(13, 20) + body.slice(21, 43)
  return [`P<${state}MUSTERNAME<<BEISPIEL`.padEnd(44, '<'), body + checkDigit(covered)] as const
}

const card = (state: string, number: string, optional: string, second = '') => {
  const upper = `I<${state}${number}${optional}`.padEnd(30, '<')
  const data = second.padEnd(11, '<')
  const covered = upper.slice(5) + dates.slice(0, 7) + dates.slice(8) + data
  return [
    upper,
    `${dates}${state}${data}${checkDigit(covered)}`,
    'MUSTERNAME<<BEISPIEL'.padEnd(30, '<'),
  ] as const
}

const replaceAt = (text: string, position: number, by: string) =>
  text.slice(0, position) + by + text.slice(position + by.length)

describe("formats of issuers' numbers", () => {
  // Without its format, each of these has an equally likely rival.
  test.each([
    ['a French passport', 'FRA', '12SB20660', '12SB20G60'],
    ['an American one', 'USA', '291115199', 'Z911I5199'],
    ['a Chinese one', 'CHN', 'G26440877', 'GZ6440817'],
    ['a German one, without letters that look like digits', 'D<<', 'CX1578ZGM', 'CXIS78ZGM'],
    ['an Indian one', 'IND', 'B7359126', 'B7359I2G'],
  ])('%s is read as one', (_what, state, number, misread) => {
    const [first, second] = passport(state, number)
    expect(read(first, replaceAt(second, 0, misread))).toMatchObject({ document_number: number, valid: true })
  })

  test('does not change a number of another format whose check digits are valid', () => {
    for (const [state, number] of [
      ['GBR', '6S2584509'],
      ['FRA', 'D12345678'],
      ['D<<', 'AA89BXHZ5'],
    ] as const) {
      const lines = passport(state, number)
      expect(read(...lines)).toMatchObject({ document_number: number, valid: true, corrections: [] })
    }
  })

  test('the format of the number resolves two misreadings that a check digit alone leaves open', () => {
    const [first, second] = passport('JPN', 'XS1234567')
    expect(read(first, replaceAt(second, 0, 'X51Z3'))).toMatchObject({
      document_number: 'XS1234567',
      valid: true,
    })
  })

  test('the rule of the issuer determines which 1 was a 7', () => {
    const lines = card('HRV', '1155018306', '51371179114')
    // The 7 and the 1 three places later have the same weight, so to the check digits either may have been a 7.
    const misread = replaceAt(lines[0], 21, '1')
    expect(read(misread, lines[1], lines[2])).toMatchObject({
      lines,
      optional_data: '51371179114',
      valid: true,
    })
  })

  test('a Belgian number is confirmed including its overflow, together with the personal number', () => {
    const head = '6000014769'
    const number = `${head}${String(Number(head) % 97).padStart(2, '0')}`
    const check = checkDigit(number)
    const lines = card('BEL', `${number.slice(0, 9)}<`, `${number.slice(9)}${check}`, '13010198739')
    const misread = [replaceAt(lines[0], 5, 'G0O'), replaceAt(lines[1], 19, '3O'), lines[2]]
    expect(read(...misread)).toMatchObject({
      document_number: number,
      optional_data_2: '13010198739',
      valid: true,
    })
  })

  test('the last six characters of an American visa are digits, the first is a letter', () => {
    const first = 'VNUSAMUSTERNAME<<BEISPIEL'.padEnd(44, '<')
    const body = `512345678${checkDigit('512345678')}CAN${dates}`
    const right = `${body}B3NKR000HN142951`
    const wrong = `${body}83NKR000HN1A29S1`
    expect(read(first, wrong)).toMatchObject({
      lines: [first, right],
      valid: true,
      corrections: [
        { line: 1, position: 28, field: 'optional_data', from: '8', to: 'B' },
        { line: 1, position: 39, field: 'optional_data', from: 'A', to: '4' },
        { line: 1, position: 42, field: 'optional_data', from: 'S', to: '5' },
      ],
    })
    expect(read(first.replace('USA', 'GBR'), wrong)?.corrections).toEqual([])
  })

  test('the optional data of a visa are not treated as a personal number', () => {
    const first = 'V<POLMUSTERNAME<<BEISPIEL'.padEnd(44, '<')
    const body = `512345678${checkDigit('512345678')}CAN${dates}`
    // With a 7 instead of its 1 it would be a personal number.
    const right = `${body}66132465658<<<<<`
    expect(read(first, replaceAt(right, 14, 'A'))).toMatchObject({ lines: [first, right], valid: true })
  })

  test('formats are selected by state and document type, and only when the characters read may match', () => {
    const forms = (state: string, kind: string, number: string) => numberForms(state, kind, number).length
    expect(forms('FRA', 'P', '12AB34567')).toBe(1)
    expect(forms('FRA', 'P', 'D12345678')).toBe(0)
    expect(forms('FRA', 'V', '12AB34567')).toBe(0)
    expect(forms('IND', 'P', 'K1234567<')).toBe(1)
    expect(forms('IND', 'P', 'K12345678')).toBe(0)
    expect(forms('SWE', 'P', '92345678<')).toBe(1)
    expect(forms('USA', 'P', '012345678')).toBe(2)
    expect(forms('XYZ', 'P', '123456789')).toBe(0)
  })

  test('two formats are not combined', () => {
    const [first, second] = passport('SWE', '68686949')
    const misread = replaceAt(replaceAt(second, 0, 'G86B'), 13, '84O812')
    expect(read(first, misread)).toMatchObject({ document_number: '68686949', valid: true })
  })
})
