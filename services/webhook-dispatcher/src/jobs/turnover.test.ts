import { expect, test } from '@jest/globals'
import { Turnover } from './turnover.ts'

test('counts attempts that ended in the last 200 ms, and forgets older ones', () => {
  const turnover = new Turnover()
  expect(turnover.recent(0)).toBe(0)
  for (let at = 10; at < 60; at += 10) turnover.add(at)
  expect(turnover.recent(99)).toBe(5)
  turnover.add(110)
  expect(turnover.recent(150)).toBe(5)
  expect(turnover.recent(210)).toBe(1)
  expect(turnover.recent(500)).toBe(0)
})
