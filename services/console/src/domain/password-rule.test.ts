import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { passwordProblem } from './password-rule.ts'

const person = { email: 'maria.fernandez@example.com', name: 'Maria Fernandez' }

describe('a new password is rejected when it', () => {
  test.each([
    ['is short', 'Tr0ub4dor&3'],
    ['was leaked', 'unbelievable'],
    ['was leaked, in other letters', 'UnBeLiEvAbLe'],
    ['is a leaked word with padding', 'Password123456!'],
    ['is padding around a leaked word', '2024-dragon-2024'],
    ['is one character again and again', 'aaaaaaaaaaaaaaaa'],
    ['is a leaked word again and again', 'monkeymonkeymonkey'],
    ['is a run', 'abcdefghijklmnop'],
    ['is a run of digits', '123456789012345'],
    ['is the address', 'maria.fernandez@example.com'],
    ['is the name and a year', 'MariaFernandez2026'],
    ['is words of the place', 'kyc-console-admin'],
  ])('%s', (_, password) => {
    expect(passwordProblem(password, person)).not.toBeNull()
  })
})

describe('a new password is accepted', () => {
  test.each([
    'correct horse battery staple',
    'lowercase only but long enough',
    'ganz ohne Ziffern, mit Ümläuten',
    '  leading and trailing spaces count  ',
    'x7Q2mZ9pLw4T',
  ])('%s', (password) => {
    expect(passwordProblem(password, person)).toBeNull()
  })

  test('if a generator made it, with 16 to 200 characters', () => {
    const generated = fc.string({
      unit: fc.constantFrom(...'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'),
      minLength: 16,
      // Without it, fast-check tries short strings only.
      size: 'max',
      maxLength: 200,
    })
    fc.assert(
      fc.property(generated, (password) => {
        fc.pre(new Set(password).size > 8 && /[A-Za-z]{4}/.test(password))
        expect(passwordProblem(password, person)).toBeNull()
      }),
    )
  })
})
