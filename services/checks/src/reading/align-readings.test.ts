import { expect, test } from '@jest/globals'
import { aligned } from './align-readings.ts'

test.each([
  ['ERIKSSON<<ANNA', 'ERIKSSON<<ANNA', 'ERIKSSON<<ANNA'],
  ['ERIKSSON<<ANNA', '1ERIKSSON<<ANNA', 'ERIKSSON<<ANNA'],
  ['ERIKSSON<<ANNA', 'ERIK8SON<<ANNA', 'ERIK8SON<<ANNA'],
  ['ERIKSSON<<ANNA', 'ERIKSON<<ANNA', 'ERIK SON<<ANNA'],
])('aligns %s with the second reading %s as %s', (first, second, expected) => {
  const other = aligned(first, second)!
  expect(other).toHaveLength(first.length)
  expect(other.replace(/ /g, '')).toBe(expected.replace(/ /g, ''))
})

test('does not align readings of different lines', () => {
  expect(aligned('ERIKSSON<<ANNA', '7408122F1204159')).toBeNull()
  expect(aligned('ERIKSSON', '')).toBeNull()
})
