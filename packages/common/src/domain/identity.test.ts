import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { maskDocumentNumber } from './identity.ts'

test('masks the last four characters, or half of a short number', () => {
  expect(maskDocumentNumber('L898902C3')).toBe('L8989****')
  expect(maskDocumentNumber('1234567')).toBe('123****')
  expect(maskDocumentNumber('12')).toBe('1*')
  expect(maskDocumentNumber('')).toBe('')
})

test('a masked number keeps its length and hides at least half of a short number and four characters of a long one', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z0-9]{1,30}$/), (number) => {
      const masked = maskDocumentNumber(number)
      const hidden = masked.length - masked.replaceAll('*', '').length
      expect(masked).toHaveLength(number.length)
      expect(hidden).toBe(number.length < 8 ? Math.ceil(number.length / 2) : 4)
    }),
  )
})
