import { describe, expect, test } from '@jest/globals'
import { cellOf, fieldAt, isProven, mrzTemplates } from './mrz-template.ts'

const template = (format: string) => mrzTemplates.find(({ layout }) => layout.format === format)!

describe('isProven', () => {
  test.each([
    ['td3', 1, 3, 'O', true, 'a document number has a digit of its own'],
    ['td3', 1, 10, 'U', false, 'no digit covers a nationality'],
    ['td3', 0, 7, 'E', false, 'no digit covers a name'],
    ['td1', 0, 20, 'O', false, 'optional data under the composite alone, and a twin'],
    ['td1', 0, 20, 'K', true, 'the same cell with a letter that has no twin'],
    ['fra_id', 0, 30, '0', false, 'the office of the French card'],
    ['mrv_a', 1, 40, '7', false, 'optional data of a visa'],
  ])('%s, line %i, position %i, "%s": %p (%s)', (format, line, position, character, proven) => {
    expect(isProven(template(format), cellOf(line, position), character)).toBe(proven)
  })
})

test('fieldAt names the field of a character, and of the check digits', () => {
  const { layout } = template('td3')
  expect(
    [
      [0, 0],
      [0, 2],
      [0, 5],
      [1, 0],
      [1, 9],
      [1, 20],
      [1, 43],
    ].map(([line, position]) => fieldAt(layout, line!, position!)),
  ).toEqual([
    'document_code',
    'issuing_state',
    'name',
    'document_number',
    'document_number',
    'sex',
    'composite',
  ])
})
