import { expect, test } from '@jest/globals'
import { ageCheck, ageOn } from './age-check.ts'

test.each([
  ['2008-01-31', '2026-01-30', 17],
  ['2008-01-31', '2026-01-31', 18],
  ['2008-02-29', '2026-02-28', 17],
  ['2008-02-29', '2026-03-01', 18],
  ['1926-12-31', '2026-01-01', 99],
])('a person born on %s is on %s %i years old', (birth, day, age) => {
  expect(ageOn(birth, new Date(`${day}T23:59:59Z`))).toBe(age)
})

test('fails below the minimum age, passes from it on, and requires review when the age is unknown', () => {
  const today = new Date('2026-01-31T00:00:00Z')
  expect(ageCheck('2008-02-01', 'mrz', 18, today)).toMatchObject({
    status: 'failed',
    data: { age: 17, minimum: 18, basis: 'mrz' },
  })
  expect(ageCheck('2008-01-31', 'visual', 18, today).status).toBe('passed')
  expect(ageCheck(null, null, 18, today)).toMatchObject({
    status: 'warning',
    data: { age: null, basis: null },
  })
})
