import { expect, test } from '@jest/globals'
import { timestamp, toTimestamp } from './timestamp.ts'

test.each(['2026-01-31T09:30:00Z', '2024-02-29T23:59:59Z', '0988-05-29T00:00:00Z'])('accepts %s', (text) => {
  expect(timestamp.parse(text)).toBe(text)
})

test.each([
  '0988-58-29T16:05:78Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00+01:00',
  '2026-01-01',
])('rejects %s', (text) => {
  expect(timestamp.safeParse(text).success).toBe(false)
})

test('truncates an instant to the second', () => {
  expect(toTimestamp(new Date('2026-01-31T09:30:00.999Z'))).toBe('2026-01-31T09:30:00Z')
})
