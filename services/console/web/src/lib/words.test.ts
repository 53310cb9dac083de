import { expect, test } from '@jest/globals'
import { formatScore, formatSeconds, formatShare, wordsOfCode } from './words.ts'

test('a code is formatted as words, and abbreviations are preserved', () => {
  expect(wordsOfCode('face_match_inconclusive')).toBe('Face match inconclusive')
  expect(wordsOfCode('mrz_checksum_failed')).toBe('MRZ checksum failed')
  expect(wordsOfCode('aml')).toBe('Sanctions (AML)')
})

test('durations are formatted in the two largest units', () => {
  expect(formatSeconds(null)).toBe('–')
  expect(formatSeconds(4.04)).toBe('4 s')
  expect(formatSeconds(95)).toBe('1 min 35 s')
  expect(formatSeconds(3 * 3600 + 120)).toBe('3 h 2 min')
  expect(formatSeconds(75 * 3600)).toBe('3 d 3 h')
})

test('a score has up to the three decimals of a threshold, and an unknown share is shown as such', () => {
  expect(formatScore(0.363)).toBe('0.363')
  expect(formatScore(0.8)).toBe('0.80')
  expect(formatShare(null)).toBe('–')
  expect(formatShare(0.034)).toBe('3.4 %')
  expect(formatShare(0.72)).toBe('72 %')
})
