import { expect, test } from '@jest/globals'
import { attemptWindows } from './throttle-rule.ts'

const address = '198.51.100.7'
const subjects = (change: Partial<Parameters<typeof attemptWindows>[0]>) =>
  attemptWindows({ kind: 'password', account: 'usr_1', address, knownBrowser: null, ...change }).map(
    ({ subject }) => subject,
  )

test('in a known browser no counter applies that others can fill, at the same address or elsewhere', () => {
  const mine = subjects({ knownBrowser: 'a1' })
  const others = [
    subjects({}),
    subjects({ address: '203.0.113.9' }),
    subjects({ account: 'usr_2' }),
    subjects({ knownBrowser: 'b2' }),
    subjects({ account: 'usr_2', knownBrowser: 'a1' }),
  ].flat()
  expect(mine.filter((subject) => others.includes(subject))).toEqual([])
})

test('a known browser has its own limit', () => {
  expect(attemptWindows({ kind: 'password', account: 'usr_1', address, knownBrowser: 'a1' })).toEqual([
    { subject: 'password:usr_1#a1', limit: 8, windowMs: 15 * 60_000 },
  ])
})

test('in unknown browsers attempts are limited per account, and per address across accounts', () => {
  const shared = (a: string[], b: string[]) => a.filter((subject) => b.includes(subject))
  expect(shared(subjects({ address: '192.0.2.1' }), subjects({ address: '192.0.2.2' }))).toEqual([
    'password:usr_1',
  ])
  expect(shared(subjects({}), subjects({ account: 'usr_2' }))).toEqual([`password:@${address}`])
})
