import { expect, test } from '@jest/globals'
import { csvOf } from './csv.ts'

test('quotes what would break a row and disarms what a spreadsheet would run', () => {
  expect(
    csvOf([
      ['a', 'b,c', 'say "x"'],
      ['=1+1', '-2', -2],
    ]),
  ).toBe('a,"b,c","say ""x"""\r\n\'=1+1,\'-2,-2')
})
