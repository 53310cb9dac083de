import { describe, expect, test } from '@jest/globals'
import { checkDigit } from './check-digit.ts'
import { parseMrz } from './index.ts'

const today = new Date('2026-03-15T12:00:00Z')
const read = (...lines: string[]) => parseMrz(lines, { today })?.document
const first = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<'
const second = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'
const card = [
  'I<UTOD231458907<<<<<<<<<<<<<<<',
  '7408122F1204159UTO<<<<<<<<<<<6',
  'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
]

const replaceAt = (text: string, position: number, by: string) =>
  text.slice(0, position) + by + text.slice(position + by.length)

describe('locating', () => {
  test.each([
    ['among other lines', ['UTOPIA', 'Surname / Nom', 'ERIKSSON', first, second, 'Signature']],
    [
      'in lower case and with spaces',
      [first.toLowerCase(), 'L8989 02C36UTO740812 2F1204159ZE184226B<<<< <10'],
    ],
    ['in one line', [`${first} ${second}`]],
    ['in one line without white space', [first + second]],
    ['with a line cut in two', [first, second.slice(0, 20), second.slice(20)]],
    ['with other marks between the lines', [first, '|', second, '~~']],
    ['with a fillers too few', [first.slice(0, -2), second]],
    ['with a filler too many', [`${first}<`, second]],
    ['with a filler lost inside the second line', [first, second.replace('<<<<<', '<<<<')]],
  ])('finds a passport %s', (_what, lines) => {
    expect(read(...lines)).toMatchObject({ lines: [first, second], valid: true })
  })

  test('finds a card of three lines, two of them in one', () => {
    expect(read('IDENTITY CARD', card[0]!, `${card[1]} ${card[2]}`)).toMatchObject({
      format: 'td1',
      lines: card,
      valid: true,
    })
  })

  test('finds nothing in unrelated text', () => {
    for (const lines of [
      ['REPUBLIC OF UTOPIA', 'Date of birth / Date de naissance', '12 AUG/AOUT 74'],
      ['IBAN DE89 3704 0044 0532 0130 00', '0123456789012345678901234567890123456789'],
      ['<'.repeat(44), '<'.repeat(44)],
      ['0'.repeat(30), '0'.repeat(30), '0'.repeat(30)],
      [first],
      [],
      [''],
    ]) {
      expect(parseMrz(lines, { today })).toBeNull()
    }
  })
})

describe('correcting', () => {
  test('lists every change with line, position and field', () => {
    const lines = [replaceAt(first, 20, 'M4R1A'), replaceAt(second, 13, '74O8I22')]
    expect(read(...lines)?.corrections).toEqual([
      { line: 0, position: 21, field: 'name', from: '4', to: 'A' },
      { line: 0, position: 23, field: 'name', from: '1', to: 'I' },
      { line: 1, position: 15, field: 'birth_date', from: 'O', to: '0' },
      { line: 1, position: 17, field: 'birth_date', from: 'I', to: '1' },
    ])
  })

  test('lists lost fillers with an empty from, and surplus ones with an empty to', () => {
    expect(read(first.slice(0, -1), second)?.corrections).toEqual([
      { line: 0, position: 25, field: 'name', from: '', to: '<' },
    ])
    expect(read(`${first}<`, second)?.corrections).toEqual([
      { line: 0, position: 25, field: 'name', from: '<', to: '' },
    ])
  })

  test('chooses the reading of a number confirmed by its own and the composite check digit', () => {
    const lines = [card[0]!.replace('D231458907', 'DZ3I45B907'), card[1]!, card[2]!]
    expect(read(...lines)).toMatchObject({ document_number: 'D23145890', valid: true, lines: card })
  })

  test('accepts both weights of the overflow filler in a long number', () => {
    for (const lines of [
      ['I<PRT14I974817<ZV17<<<<<<<<<<<', '9801082F3407242PRT<<<<<<<<<<<4', 'RONALDO<<CHRISTIANO<<<<<<<<<<<'],
      ['IDBEL60000I795<0152<<<<<<<<<<<', '1301014F2311207BEL130101987398', 'SPECIMEN<<SPECIMEN<<<<<<<<<<<<'],
    ]) {
      expect(read(...lines)).toMatchObject({
        valid: true,
        check_digits: { document_number: true, composite: true },
      })
    }
  })

  test('corrects letters that were read for fillers', () => {
    const noisy = 'P<UTOERIKSSON<<ANNA<MARIA<<<K<<<<LL<<<<K<<<C'
    expect(read(noisy, second)).toMatchObject({ lines: [first, second], valid: true })
  })

  test('infers from other fields that this reader misreads fillers as letters', () => {
    const name = 'P<UTOERIKSSON<<ANNA<MARIAC'.padEnd(44, '<')
    expect(read('UTOPIA', name, second)).toMatchObject({ given_names: 'ANNA MARIAC' })
    const noisy = [
      card[0]!.replace('<<<<<<<<<<<<<<<', '<<C<<<CC<<C<<<<'),
      card[1]!,
      'ERIKSSON<<ANNA<MARIAC<<<<<<<<<',
    ]
    expect(read(...noisy)).toMatchObject({ lines: card, valid: true })
  })

  test('corrects optional data of one confusable letter to fillers where no check digit covers them', () => {
    const visa = ['V<UTOERIKSSON<<ANNA<MARIA'.padEnd(36, '<'), 'L898902C36UTO7408122F1204159<<<<<<<<']
    expect(read(visa[0]!, replaceAt(replaceAt(visa[1]!, 28, 'C<<L'), 15, 'O'))).toMatchObject({
      lines: visa,
      valid: true,
    })
  })

  test('uses the years in which French cards were issued', () => {
    const french = ['IDFRATEST<NAME<<<<<<<<<<<<<<<<0CHE02', '1710GVA123451ROBERTA<<<<<<<9112311F2']
    const misread = replaceAt(french[1]!, 6, '4')
    expect(read(french[0]!, misread)).toMatchObject({ lines: french, valid: true })
  })

  test('does not remove a name ending that resembles a misread filler', () => {
    const name = 'P<UTONOVAK<<FRANK<<<<<<<<<<<<<<<<<<<<<<<<<<<'
    expect(read('UTOPIA', name, second)).toMatchObject({
      surname: 'NOVAK',
      given_names: 'FRANK',
      valid: true,
    })
  })

  test('corrects state codes when exactly one listed state fits', () => {
    expect(read(replaceAt(first, 2, 'VTO'), second)).toMatchObject({ issuing_state: 'UTO', valid: true })
    expect(read(replaceAt(first, 2, 'D<<'), replaceAt(second, 10, 'O<<'))).toMatchObject({ nationality: 'D' })
  })

  test('makes no correction when two digits are equally likely to be the misread one', () => {
    // The 1 and the 7 have the same weight, so two readings satisfy all check digits.
    const lines = [
      'P<GBRDOE<<JOHN<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<',
      'D123456185UTO6508092M3505207<<<<<<<<<<<<<<<0',
    ]
    expect(read(...lines)).toMatchObject({ valid: false, lines, corrections: [] })
  })

  test("reports a G that may be a 6 as uncertain, since no check digit distinguishes them, unless the issuer's format has a G", () => {
    const body = (number: string, state: string) => {
      const line = `${number}${checkDigit(number)}${state}7408122F1204159${'<'.repeat(14)}0`
      return line + checkDigit(line.slice(0, 10) + line.slice(13, 20) + line.slice(21, 43))
    }
    const unknown = read(first, body('L898G0236', 'UTO'))
    expect(unknown).toMatchObject({ document_number: 'L898G0236', valid: false, corrections: [] })
    const issued = ['P<FRAERIKSSON<<ANNA<MARIA'.padEnd(44, '<'), body('12GB34567', 'FRA')]
    expect(read(...issued)).toMatchObject({ document_number: '12GB34567', valid: true, corrections: [] })
  })

  test('restores a lost filler between surname and given names before it extends trailing fillers', () => {
    const name = 'P<UTOERIKSSON<ANNA'.padEnd(43, '<')
    expect(read(name, second)).toMatchObject({ surname: 'ERIKSSON', given_names: 'ANNA', valid: true })
  })

  test('is uncertain which of two places lost a filler', () => {
    const name = 'P<UTOERIKSSON<ANNA<MARIA'.padEnd(43, '<')
    expect(read(name, second)?.valid).toBe(false)
  })

  test('does not correct a faulty document through unlikely misreadings', () => {
    const faulty = replaceAt(second, 5, '7')
    expect(read(first, faulty)).toMatchObject({ valid: false, lines: [first, faulty], corrections: [] })
  })

  test('does not turn a passport with a wrong composite digit into a visa, which has none', () => {
    expect(read(first, replaceAt(second, 43, '5'))).toMatchObject({ format: 'td3', valid: false })
  })

  test('does not change a name that printed words contradict, and reports the MRZ as not valid', () => {
    const lines = [
      'JOHN',
      'P<GBRDOE<<JOMN<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<',
      'D123456785UTO6508092M3505207<<<<<<<<<<<<<<<0',
    ]
    expect(read(...lines)).toMatchObject({ given_names: 'JOMN', valid: false, corrections: [] })
    expect(read(...lines.slice(1))).toMatchObject({ given_names: 'JOMN', valid: true })
  })

  test('corrects nothing when correction is disabled', () => {
    const lines = [first, replaceAt(second, 13, '74O8122')]
    const document = parseMrz(lines, { today, correct: false })?.document
    expect(document).toMatchObject({ lines, birth_date: null, valid: false, corrections: [] })
  })

  test('reports its confidence', () => {
    expect(parseMrz([first, second], { today })?.confidence).toBe(1)
    const doubtful = parseMrz(
      ['P<GBRDOE<<JOHN<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<', 'D123456185UTO6508092M3505207<<<<<<<<<<<<<<<0'],
      { today },
    )
    expect(doubtful?.confidence).toBeLessThan(0.8)
  })
})
