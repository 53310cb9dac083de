import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { checkDigit } from './check-digit.ts'
import { layoutOf } from './layouts.ts'
import { parseMrz } from './parse-mrz.ts'
import { readLines } from './read-lines.ts'

const today = new Date('2026-03-15T12:00:00Z')
const day = { year: 2026, month: 3, day: 15 }
const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<<<<<<<<<<<< kl«ßİ|.']
const line = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 200 })

const twoDigits = (min: number, max: number) =>
  fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'))
const date = fc.tuple(twoDigits(0, 99), twoDigits(1, 12), twoDigits(1, 28)).map((parts) => parts.join(''))
const word = fc.stringMatching(/^[ABDFHIMNORTUVYZ]{2,9}$/)

/** An invented passport with valid check digits. */
const passport = fc
  .tuple(fc.stringMatching(/^[A-Z]\d{8}$/), date, date, fc.constantFrom('M', 'F', '<'), word, word)
  .map(([number, birth, expiry, sex, surname, given]) => {
    const body = `${number}${checkDigit(number)}UTO${birth}${checkDigit(birth)}${sex}${expiry}${checkDigit(expiry)}${'<'.repeat(14)}0`
    const covered = body.slice(0, 10) + body.slice(13, 20) + body.slice(21, 43)
    return [`P<UTO${surname}<<${given}`.padEnd(44, '<'), body + checkDigit(covered)]
  })

describe('parseMrz', () => {
  test('never throws, and returns lines of the layout with correct flags', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 24 }), (lines) => {
        const result = parseMrz(lines, { today })
        if (result === null) return
        const { document, confidence } = result
        const layout = layoutOf(document.lines)!
        expect(layout.lineCount).toBe(document.lines.length)
        const again = readLines(document.lines, layout, day)
        expect(document.check_digits).toEqual(again.check_digits)
        if (document.valid) expect(again.valid).toBe(true)
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
      }),
      { numRuns: 250 },
    )
  })

  test('reads every clean passport without changes', () => {
    fc.assert(
      fc.property(passport, (lines) => {
        expect(parseMrz(lines, { today })?.document).toMatchObject({ valid: true, lines, corrections: [] })
      }),
      { numRuns: 150 },
    )
  })

  test('finds each of a thousand misread passports, and at most five are valid with a wrong number or date', () => {
    // Omits 6 and G, which weigh the same in every check digit, so that none distinguishes them.
    const misread: Record<string, string> = { '0': 'O', '1': 'I', '2': 'Z', '5': 'S', '8': 'B', '7': '1' }
    const input = fc.tuple(passport, fc.nat(27), fc.nat(27), fc.array(word, { maxLength: 4 }))
    let wrong = 0
    for (const [lines, first, second, others] of fc.sample(input, { numRuns: 1_000, seed: 9303 })) {
      const characters = [...lines[1]!]
      for (const at of [first, second]) characters[at] = misread[characters[at]!] ?? characters[at]!
      const document = parseMrz([...others, lines[0]!, characters.join(''), ...others], { today })?.document
      expect(document?.format).toBe('td3')
      if (document?.valid === true && document.lines[1] !== lines[1]) wrong++
    }
    expect(wrong).toBeLessThanOrEqual(5)
  })

  test('a correction is exactly the difference between the characters read and the result', () => {
    fc.assert(
      fc.property(passport, fc.nat(27), (lines, at) => {
        const changed =
          lines[1]!.slice(0, at) + (lines[1]![at] === '0' ? 'O' : lines[1]![at]) + lines[1]!.slice(at + 1)
        const document = parseMrz([lines[0]!, changed], { today })!.document
        const rebuilt = [lines[0]!, changed].map((text) => [...text])
        for (const { line: index, position, to } of document.corrections) rebuilt[index]![position] = to
        expect(rebuilt.map((characters) => characters.join(''))).toEqual(document.lines)
      }),
      { numRuns: 100 },
    )
  })
})
