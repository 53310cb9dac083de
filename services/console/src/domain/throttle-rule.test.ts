import { expect, test } from '@jest/globals'
import { attemptWindows } from './throttle-rule.ts'

test('from a known address nothing counts that a stranger elsewhere can fill', () => {
  const mine = attemptWindows({ kind: 'password', account: 'usr_1', address: '198.51.100.7', known: true })
  const theirs = attemptWindows({ kind: 'password', account: 'usr_1', address: '203.0.113.9', known: false })
  const filled = new Set(theirs.map((window) => window.subject))
  expect(mine.filter((window) => filled.has(window.subject))).toEqual([])
})

test('from new addresses the account is guarded as a whole', () => {
  const [a, b] = ['192.0.2.1', '192.0.2.2'].map((address) =>
    attemptWindows({ kind: 'password', account: 'usr_1', address, known: false }).map(
      ({ subject }) => subject,
    ),
  )
  expect(a?.filter((subject) => b?.includes(subject))).toEqual(['password:usr_1'])
})
