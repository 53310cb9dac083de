import { expect, test } from '@jest/globals'
import { hashPassword, verifyPassword } from './passwords.ts'

test('a password is stored as argon2id with 19 MiB, two passes and a random salt', async () => {
  const [one, two] = await Promise.all([hashPassword('a long password'), hashPassword('a long password')])
  for (const stored of [one, two])
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(one).not.toBe(two)
  expect(await verifyPassword(one, 'a long password')).toBe(true)
  expect(await verifyPassword(one, 'A long password')).toBe(false)
})

test('no password is accepted for an unknown user', async () => {
  expect(await verifyPassword(null, '')).toBe(false)
  expect(await verifyPassword(null, 'a long password')).toBe(false)
})
