import { expect, test } from '@jest/globals'
import { csvOf } from './csv.ts'

test('quotes special characters and neutralises spreadsheet formulas', () => {
  expect(
    csvOf([
      ['a', 'b,c', 'say "x"'],
      ['=1+1', '-2', -2],
    ]),
  ).toBe('a,"b,c","say ""x"""\r\n\'=1+1,\'-2,-2')
})
