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

/** Who holds an IPv6 address holds its /64: they are counted as one. */
export function addressBlock(address: string | null): string | null {
  if (address === null || !address.includes(':')) return address
  const [head = '', tail = ''] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::')
    ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
    : []
  return `${[...left, ...zeros, ...right]
    .slice(0, 4)
    .map((part) => part.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
