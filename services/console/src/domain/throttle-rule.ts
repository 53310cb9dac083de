const minute = 60_000

/** Wrong answers within a window, counted before an answer is looked at, so that a burst gains nothing. */
export type Window = { subject: string; limit: number; windowMs: number }

/**
 * What one attempt counts against. From an address where the person has signed in before, only their own mistakes
 * there count: guessing from elsewhere, however much, never keeps them out. From a new address the account as a whole
 * is guarded too; a reset link opens that address.
 */
export function attemptWindows(attempt: {
  kind: 'password' | 'code' | 'reset'
  /** A user id or a hash of an address nobody has. */
  account: string
  /** The address or its block; null when unknown. */
  address: string | null
  known: boolean
}): Window[] {
  const { kind, account, known } = attempt
  const address = attempt.address ?? 'unknown'
  const windows: Window[] = [
    { subject: `${kind}:${account}@${address}`, limit: 8, windowMs: 15 * minute },
    { subject: `${kind}:@${address}`, limit: 60, windowMs: 15 * minute },
  ]
  if (!known) windows.push({ subject: `${kind}:${account}`, limit: 40, windowMs: 60 * minute })
  return windows
}
