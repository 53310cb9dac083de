import { unprocessable } from '@kyc/common'
import { randomText } from '@kyc/runtime'
import { hash, verify } from '@node-rs/argon2'
import { passwordProblem } from '../domain/password-rule.ts'

/** OWASP's recommended minimum for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, argon2id)

/** Hash to verify against for an unknown address, so that it takes as long as for a known one. */
const nobodysHash = hashPassword(randomText(32))

/** With `stored` null (unknown user) returns false after the same time. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const right = await verify(stored ?? (await nobodysHash), password)
  return right && stored !== null
}

/** The hash of a new password; throws `unprocessable` with the reason if the password is rejected. */
export async function hashNewPassword(
  password: string,
  person: { email: string; name: string | null },
): Promise<string> {
  const problem = passwordProblem(password, person)
  if (problem) throw unprocessable(problem)
  return hashPassword(password)
}
