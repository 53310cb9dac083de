import { expect, test } from '@jest/globals'
import { formatScore, formatSeconds, formatShare, wordsOfCode } from './words.ts'

test('a code reads as words, with abbreviations kept', () => {
  expect(wordsOfCode('face_match_inconclusive')).toBe('Face match inconclusive')
  expect(wordsOfCode('mrz_checksum_failed')).toBe('MRZ checksum failed')
  expect(wordsOfCode('aml')).toBe('Sanctions (AML)')
})

test('durations read in the two largest units', () => {
  expect(formatSeconds(null)).toBe('–')
  expect(formatSeconds(4.04)).toBe('4 s')
  expect(formatSeconds(95)).toBe('1 min 35 s')
  expect(formatSeconds(3 * 3600 + 120)).toBe('3 h 2 min')
  expect(formatSeconds(75 * 3600)).toBe('3 d 3 h')
})

test('a score keeps the three decimals of a threshold, a share says when it is unknown', () => {
  expect(formatScore(0.363)).toBe('0.363')
  expect(formatScore(0.8)).toBe('0.80')
  expect(formatShare(null)).toBe('–')
  expect(formatShare(0.034)).toBe('3.4 %')
  expect(formatShare(0.72)).toBe('72 %')
})
