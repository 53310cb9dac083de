const minute = 60_000

export const attemptKinds = ['password', 'code', 'reset'] as const
export type AttemptKind = (typeof attemptKinds)[number]

/** Failed attempts within a window. They are counted before the attempt is verified, so that a burst gains nothing. */
export type Window = { subject: string; limit: number; windowMs: number }

/** Counts the attempts at one account in one known browser. */
export const knownBrowserSubject = (kind: AttemptKind, account: string, browser: string): string =>
  `${kind}:${account}#${browser}`

/**
 * The windows in which an attempt counts (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). In a browser
 * where the user has signed in before, only the failures in that browser count, so nobody else can lock the user out,
 * not even from the same address. In any other browser the attempt counts for the account at this address, for the
 * address, and for the account as a whole.
 */
export function attemptWindows(attempt: {
  kind: AttemptKind
  /** A user id, or a hash of an e-mail address without an account. */
  account: string
  /** The IP address or its /64; null when unknown. */
  address: string | null
  /** The hash of the browser's cookie if the browser is known for this account; otherwise null. */
  knownBrowser: string | null
}): Window[] {
  const { kind, account, knownBrowser } = attempt
  const address = attempt.address ?? 'unknown'
  if (knownBrowser !== null)
    return [{ subject: knownBrowserSubject(kind, account, knownBrowser), limit: 8, windowMs: 15 * minute }]
  return [
    { subject: `${kind}:${account}@${address}`, limit: 8, windowMs: 15 * minute },
    { subject: `${kind}:@${address}`, limit: 60, windowMs: 15 * minute },
    { subject: `${kind}:${account}`, limit: 40, windowMs: 60 * minute },
  ]
}
