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
  test('separates equal neighbours and finds every character', () => {
    const line = lattice(upper)
    const scores = decodeFixed(line, template('td3').lines[0]!)!
    const read = template('td3').lines[0]!.map((allowed, position) => {
      const best = allowed.reduce((a, b) => (scores.at(position, b) > scores.at(position, a) ? b : a))
      return MRZ_ALPHABET[best]
    })
    expect(read.join('')).toBe(upper)
    expect(decodeFree(line)).toBe(upper)
  })

  test('restores a filler that an unconstrained reading loses, because the length is known', () => {
    const probabilities = probabilitiesOf(upper)
    // Removes the blanks of one step in the run of fillers, so that an unconstrained reading merges the neighbours.
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

  test('returns null for a line with fewer time steps than characters', () => {
    expect(decodeFixed(lattice('P<UTO'), template('td3').lines[0]!)).toBeNull()
  })
})

describe('solveMrz', () => {
  test('reads a clean MRZ with certainty', () => {
    expect(solve()).toMatchObject({ lines: [upper, lower], changes: [], cost: 0, holds: true })
  })

  test('never returns a letter where the layout requires a digit', () => {
    const solution = solve(undefined, { 13: ['T', 0.9], 14: ['A', 0.9] })
    expect([solution.lines[1], solution.changes]).toEqual([lower, []])
  })

  test('corrects what the check digits disprove, and reports the changes and their cost', () => {
    const solution = solve(undefined, { 0: ['I', 0.7], 8: ['0', 0.6] })
    expect(solution.lines).toEqual([upper, lower])
    expect(solution.holds).toBe(true)
    expect(solution.changes).toEqual([
      { line: 1, position: 8, from: '0', to: '3' },
      { line: 1, position: 0, from: 'I', to: 'L' },
    ])
    expect(solution.cost).toBeGreaterThan(0)
  })

  test('reports the margin to the next valid reading', () => {
    expect(solve(undefined, { 8: ['0', 0.6] }).margin).toBeGreaterThan(2.5)
    // Positions 5 and 8 have the same weight, so adding three to either satisfies the check digits.
    expect(solve(undefined, { 8: ['0', 0.6], 5: ['3', 0.4] }).margin).toBeLessThan(0.5)
  })

  test('is not valid when no likely reading satisfies the check digits', () => {
    const wrong = `${lower.slice(0, 9)}7${lower.slice(10)}`
    const solution = solveMrz(template('td3'), [lattice(upper), lattice(wrong)], today)!
    expect([solution.holds, solution.lines[1]]).toEqual([false, wrong])
  })

  test('distinguishes a passport from a visa of the same length by the better fit', () => {
    const lines = [lattice(upper), lattice(lower)]
    const passport = solveMrz(template('td3'), lines, today)!
    const visa = solveMrz(template('mrv_a'), lines, today)!
    expect(passport.likelihood).toBeGreaterThan(visa.likelihood)
  })

  test('reports uncertainty in a name, which no check digit covers, as low confidence', () => {
    const solution = solve({ 6: ['K', 0.45] })
    expect(solution.lines[0]).toBe(upper)
    expect(solution.confidence[0]![6]).toBeLessThan(0.7)
    expect(solution.confidence[0]![7]).toBeGreaterThan(0.95)
  })
})
