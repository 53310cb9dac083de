import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { absoluteMs, effectiveState, idleMs, isEnrolled, stateAfterPassword } from './sign-in-rule.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replace(/\s+/g, ' ')

test('the README states both time-outs and that parallel sessions are allowed', () => {
  expect(readme).toContain(`${idleMs / 60_000} minutes without a request`)
  expect(readme).toContain(`${absoluteMs / 3_600_000} hours in any case`)
  expect(readme).toContain('One person may have several; each sees and ends their own.')
})

test('the README lists every way to sign in or to obtain an account', () => {
  for (const way of [
    'Password',
    'Second factor',
    'Passkey',
    'Authenticator app',
    'Recovery code',
    'Invitation, password reset',
    'Lost second factor',
    'First owner',
    'No owner can sign in',
  ])
    expect(readme).toContain(`| ${way} |`)
})

test.each([
  ['no factor', { totp_secret: null, passkeys: 0 }, false],
  ['an authenticator app', { totp_secret: Buffer.from('sealed'), passkeys: 0 }, true],
  ['a passkey', { totp_secret: null, passkeys: 1 }, true],
])('derives whether a user with %s is enrolled', (_, user, enrolled) => {
  expect(isEnrolled(user)).toBe(enrolled)
})

test('a password alone never completes a sign-in', () => {
  expect(stateAfterPassword(false)).toBe('enrolment')
  expect(stateAfterPassword(true)).toBe('second_factor')
})

test.each([
  ['second_factor', true, 'second_factor'],
  // Another session has enrolled a factor since: this one must give that factor instead of adding one.
  ['enrolment', true, 'second_factor'],
  ['full', true, 'full'],
  ['second_factor', false, 'enrolment'],
  ['enrolment', false, 'enrolment'],
  // Stored before the factor was required, or before it was removed.
  ['full', false, 'enrolment'],
] as const)('a session stored as %s, enrolled %s, counts as %s', (stored, enrolled, expected) => {
  expect(effectiveState(stored, enrolled)).toBe(expected)
})
