import { describe, expect, test } from '@jest/globals'
import { probabilitiesOf, testCharacters } from '../../test/fixtures/line-probabilities.ts'
import { todayOf } from '../domain/mrz/dates.ts'
import { decodeFixed, decodeFree, mrzClasses, mrzLattice } from './mrz-lattice.ts'
import { solveMrz } from './mrz-solver.ts'
import { MRZ_ALPHABET, mrzTemplates } from './mrz-template.ts'

const today = todayOf(new Date('2026-01-31T00:00:00Z'))
const classes = mrzClasses(testCharacters)
const template = (format: string) => mrzTemplates.find(({ layout }) => layout.format === format)!
const upper = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<'
const lower = 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'
type Doubts = Parameters<typeof probabilitiesOf>[1]
const lattice = (text: string, doubts?: Doubts) => mrzLattice(probabilitiesOf(text, doubts), classes)
const solve = (upperDoubts?: Doubts, lowerDoubts?: Doubts) =>
  solveMrz(template('td3'), [lattice(upper, upperDoubts), lattice(lower, lowerDoubts)], today)!

describe('decodeFixed', () => {
  test('keeps equal neighbours apart and finds every character', () => {
    const line = lattice(upper)
    const scores = decodeFixed(line, template('td3').lines[0]!)!
    const read = template('td3').lines[0]!.map((allowed, position) => {
      const best = allowed.reduce((a, b) => (scores.at(position, b) > scores.at(position, a) ? b : a))
      return MRZ_ALPHABET[best]
    })
    expect(read.join('')).toBe(upper)
    expect(decodeFree(line)).toBe(upper)
  })

  test('puts a filler back that a free reading loses, because the length is known', () => {
    const probabilities = probabilitiesOf(upper)
    // The blanks of one step in the run of fillers vanish: a free reading merges the neighbours.
    const blank = (30 * 3 + 3) * testCharacters.length
    for (const step of [blank - testCharacters.length, blank]) {
      probabilities.data[step] = 0.3
      probabilities.data[step + testCharacters.indexOf('<')] = 0.7
    }
    const line = mrzLattice(probabilities, classes)
    expect(decodeFree(line).length).toBe(43)
    const solution = solveMrz(template('td3'), [line, lattice(lower)], today)!
    expect(solution.lines[0]).toBe(upper)
  })

  test('refuses a line with fewer time steps than characters', () => {
    expect(decodeFixed(lattice('P<UTO'), template('td3').lines[0]!)).toBeNull()
  })
})

describe('solveMrz', () => {
  test('reads a clean zone with certainty', () => {
    expect(solve()).toMatchObject({ lines: [upper, lower], changes: [], cost: 0, holds: true })
  })

  test('never puts a letter where the layout wants a digit', () => {
    const solution = solve(undefined, { 13: ['T', 0.9], 14: ['A', 0.9] })
    expect([solution.lines[1], solution.changes]).toEqual([lower, []])
  })

  test('puts right what the check digits prove wrong, and says what and at what cost', () => {
    const solution = solve(undefined, { 0: ['I', 0.7], 8: ['0', 0.6] })
    expect(solution.lines).toEqual([upper, lower])
    expect(solution.holds).toBe(true)
    expect(solution.changes).toEqual([
      { line: 1, position: 8, from: '0', to: '3' },
      { line: 1, position: 0, from: 'I', to: 'L' },
    ])
    expect(solution.cost).toBeGreaterThan(0)
  })

  test('tells how near the next reading is that would hold as well', () => {
    expect(solve(undefined, { 8: ['0', 0.6] }).margin).toBeGreaterThan(2.5)
    // Positions 5 and 8 have the same weight: three up in either satisfies the digits.
    expect(solve(undefined, { 8: ['0', 0.6], 5: ['3', 0.4] }).margin).toBeLessThan(0.5)
  })

  test('does not hold when nothing likely satisfies the digits', () => {
    const wrong = `${lower.slice(0, 9)}7${lower.slice(10)}`
    const solution = solveMrz(template('td3'), [lattice(upper), lattice(wrong)], today)!
    expect([solution.holds, solution.lines[1]]).toEqual([false, wrong])
  })

  test('tells a passport from a visa of the same length by what fits better', () => {
    const lines = [lattice(upper), lattice(lower)]
    const passport = solveMrz(template('td3'), lines, today)!
    const visa = solveMrz(template('mrv_a'), lines, today)!
    expect(passport.likelihood).toBeGreaterThan(visa.likelihood)
  })

  test('gives the doubt about a name, which no digit can settle, as low confidence', () => {
    const solution = solve({ 6: ['K', 0.45] })
    expect(solution.lines[0]).toBe(upper)
    expect(solution.confidence[0]![6]).toBeLessThan(0.7)
    expect(solution.confidence[0]![7]).toBeGreaterThan(0.95)
  })
})
