import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { stdnum } from 'stdnum'
import { type ProvenNumber, provenCards, provenPersons } from './national-numbers.ts'

const twoDigits = (min: number, max: number) =>
  fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'))
const digits = (count: number) => fc.stringMatching(new RegExp(`^\\d{${count}}$`))
const year = fc.oneof(twoDigits(0, 20), twoDigits(50, 99))
const day = fc.tuple(year, twoDigits(1, 12), twoDigits(1, 28))
const born = (count: number) => fc.tuple(day, digits(count)).map(([date, rest]) => date.join('') + rest)
const everyDigit = [...'0123456789']
const everyPair = everyDigit.flatMap((tens) => everyDigit.map((ones) => tens + ones))
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Whether another implementation of the same rule accepts a number. */
const takenBy =
  (country: string, name: string, write = (number: string) => number) =>
  (number: string): boolean =>
    stdnum[country]![name]!.validate(write(number)).isValid

const { BEL, BGR, ESP, EST, HRV, LTU, NLD, POL, SRB, SWE, TUR } = provenPersons
const sexAndBirth = fc.tuple(fc.constantFrom('3', '4'), born(3)).map((parts) => parts.join(''))
const yugoslavHead = fc
  .tuple(twoDigits(1, 28), twoDigits(1, 12), twoDigits(50, 99), digits(5))
  .map(([date, month, ofBirth, rest]) => `${date}${month}9${ofBirth}${rest}`)
const withDash = (number: string) => `${number.slice(0, 8)}-${number.slice(8)}`

/** A rule, everything before its check, the possible check values, and the other implementation of the rule. */
type Rule = [
  what: string,
  rule: ProvenNumber | undefined,
  head: fc.Arbitrary<string>,
  checks: readonly string[],
  taken: (number: string) => boolean,
]

const rules: readonly Rule[] = [
  ['Portuguese card', provenCards.PRT, fc.stringMatching(/^\d{9}[A-Z]{2}$/), everyDigit, takenBy('PT', 'cc')],
  // 97 minus a remainder is 1 to 97; the other implementation accepts 98 for 1 too.
  ['Belgian person', BEL, born(3), everyPair.slice(1, 98), takenBy('BE', 'nn')],
  ['Bulgarian person', BGR, born(3), everyDigit, takenBy('BG', 'egn')],
  ['Spanish person', ESP, digits(8), letters, takenBy('ES', 'dni')],
  ['Estonian person', EST, sexAndBirth, everyDigit, takenBy('EE', 'ik')],
  ['Croatian person', HRV, digits(10), everyDigit, takenBy('HR', 'oib')],
  ['Lithuanian person', LTU, sexAndBirth, everyDigit, takenBy('LT', 'asmens')],
  ['Dutch person', NLD, digits(8), everyDigit, takenBy('NL', 'bsn')],
  ['Polish person', POL, born(4), everyDigit, takenBy('PL', 'pesel')],
  ['Serbian person', SRB, yugoslavHead, everyDigit, takenBy('RS', 'jmbg')],
  [
    'Swedish person',
    SWE,
    born(3).map((number) => `19${number}`),
    everyDigit,
    takenBy('SE', 'personnummer', withDash),
  ],
  ['Turkish person', TUR, fc.stringMatching(/^[1-9]\d{8}$/), everyPair, takenBy('TR', 'tckimlik')],
]

describe('national number rules', () => {
  test.each(rules)(
    '%s: accepts every check value that another implementation accepts',
    (_what, rule, heads, checks, taken) => {
      let count = 0
      fc.assert(
        fc.property(heads, (head) => {
          const theirs = checks.filter((check) => taken(head + check))
          const ours = checks.filter((check) => rule!.holds(head + check))
          count += theirs.length
          expect(ours).toEqual(expect.arrayContaining(theirs))
          // A Belgian number may belong to a birth before 2000 or from 2000 on.
          expect(ours.length).toBeLessThanOrEqual(rule === BEL ? 2 : 1)
        }),
        { numRuns: 60 },
      )
      expect(count).toBeGreaterThan(20)
    },
  )

  test('the first ten digits of a Belgian card number determine its check', () => {
    const { holds } = provenCards.BEL!
    fc.assert(
      fc.property(digits(10), (head) => {
        const rest = Number(BigInt(head) % 97n) || 97
        const right = everyPair.filter((check) => holds(head + check))
        expect(right).toEqual([String(rest).padStart(2, '0')])
      }),
    )
  })

  test('the positions of each number match the length that its rule reads', () => {
    const lengths = Object.fromEntries(
      Object.entries(provenPersons).map(([state, { places }]) => [state, places.length]),
    )
    expect(lengths).toEqual({
      BEL: 11,
      BGR: 10,
      BIH: 13,
      ESP: 9,
      EST: 11,
      HRV: 11,
      LTU: 11,
      MKD: 13,
      MNE: 13,
      NLD: 9,
      POL: 11,
      SRB: 13,
      SVN: 13,
      SWE: 12,
      TUR: 11,
    })
  })
})
