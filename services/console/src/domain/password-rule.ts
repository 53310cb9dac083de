import { dictionary } from '@zxcvbn-ts/language-common'

export const minimumPasswordLength = 12

/** 49,000 leaked passwords (zxcvbn-ts), in lower case. */
const common = new Set(dictionary['passwords-common'])

/** Words that an attacker would try first for this console. */
const contextWords = ['console', 'identity', 'verification', 'reviewer', 'admin', 'owner', 'kyc']

/** Characters that people append to make a word longer. */
const padding = /[\d\s!-/:-@[-`{-~]+$/u
const leading = /^[\d\s!-/:-@[-`{-~]+/u

/**
 * The reason to reject a password, or null. The password is checked exactly as typed. There are no character-class rules;
 * rejected is what an attacker tries first: leaked passwords, the user's own names, a padded word, and repetitions.
 */
export function passwordProblem(
  password: string,
  person: { email: string; name: string | null },
): string | null {
  if ([...password].length < minimumPasswordLength) {
    return `The password must be at least ${minimumPasswordLength} characters long.`
  }
  const lower = password.toLowerCase()
  const core = lower.replace(padding, '').replace(leading, '')
  const unit = repeatedUnit(lower)
  if ([lower, core, unit].some((part) => common.has(part) || part.length < 4 || isRun(part))) {
    return 'This password is among the first that are guessed; please choose another.'
  }
  const own = [person.email, ...person.email.split(/[@.+_-]/), ...(person.name ?? '').split(/\s+/)]
  const guessable = [...own, ...contextWords]
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 3)
  const rest = [...new Set(guessable)]
    .sort((a, b) => b.length - a.length)
    .reduce((text, word) => text.replaceAll(word, ''), lower)
  if (rest.length < lower.length && [...rest].length < 8) {
    return 'This password is made of names that are easily guessed; please choose another.'
  }
  return null
}

/** Shortens a repetition to its unit, because `abcabcabc` is no harder to guess than `abc`. */
function repeatedUnit(text: string): string {
  const length = (text + text).indexOf(text, 1)
  return text.slice(0, length)
}

/** `abcdefghijkl`, `210987654321`: each character follows the previous one in one direction. */
function isRun(text: string): boolean {
  const steps = new Set<number>()
  for (let at = 1; at < text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1)
    // Digits wrap around from 9 to 0.
    steps.add(step === 9 ? -1 : step === -9 ? 1 : step)
  }
  return steps.size === 1 && [1, -1, 0].includes([...steps][0] ?? 2)
}
