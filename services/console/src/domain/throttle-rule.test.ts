import { expect, test } from '@jest/globals'
import { addressBlock, attemptWindows } from './throttle-rule.ts'

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

test('the addresses of one IPv6 network are one', () => {
  const block = '2001:db8:1:2::/64'
  for (const address of ['2001:db8:1:2::1', '2001:0DB8:0001:0002:ffff:0:0:1', '2001:db8:1:2:3:4:5:6'])
    expect(addressBlock(address)).toBe(block)
  expect(addressBlock('2001:db8:1:3::1')).not.toBe(block)
  expect(addressBlock('::1')).toBe('0:0:0:0::/64')
  expect(addressBlock('198.51.100.7')).toBe('198.51.100.7')
  expect(addressBlock(null)).toBeNull()
})
