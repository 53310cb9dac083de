import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { absoluteMs, idleMs } from './sign-in-rule.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replace(/\s+/g, ' ')

test('the README states both time-outs as they are, and that parallel sessions are allowed', () => {
  expect(readme).toContain(`${idleMs / 60_000} minutes without a request`)
  expect(readme).toContain(`${absoluteMs / 3_600_000} hours in any case`)
  expect(readme).toContain('One person may have several; each sees and ends their own.')
})

test('the README lists every way to sign in or to obtain an account', () => {
  for (const way of [
    'Password',
    'Second factor',
    'Invitation, password reset',
    'Lost second factor',
    'First owner',
    'No owner can sign in',
  ])
    expect(readme).toContain(`| ${way} |`)
})
