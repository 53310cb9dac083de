import { dictionary } from '@zxcvbn-ts/language-common'

export const minimumPasswordLength = 12

/** 49,000 passwords found in leaks (zxcvbn-ts), in lower case. */
const common = new Set(dictionary['passwords-common'])

/** Words a guesser of this console would begin with. */
const contextWords = ['console', 'identity', 'verification', 'reviewer', 'admin', 'owner', 'kyc']

/** What people put behind a word to make it long. */
const padding = /[\d\s!-/:-@[-`{-~]+$/u
const leading = /^[\d\s!-/:-@[-`{-~]+/u

/**
 * Why a password is refused, or null. Taken exactly as typed; no rule about kinds of characters, only about what a
 * guesser tries first: leaked ones, the person's own names, one word padded, and repetitions.
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

/** `abcabcabc` is no longer than `abc`. */
function repeatedUnit(text: string): string {
  const length = (text + text).indexOf(text, 1)
  return text.slice(0, length)
}

/** `abcdefghijkl`, `210987654321`: each character one further than the one before. */
function isRun(text: string): boolean {
  const steps = new Set<number>()
  for (let at = 1; at < text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1)
    // Digits go on at the other end.
    steps.add(step === 9 ? -1 : step === -9 ? 1 : step)
  }
  return steps.size === 1 && [1, -1, 0].includes([...steps][0] ?? 2)
}
