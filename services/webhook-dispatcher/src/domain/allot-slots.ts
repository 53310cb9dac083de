export type SlotRequest = {
  app_id: string
  /** Attempts in flight to the app. */
  inFlight: number
  /** Maximum number of additional attempts. */
  allowance: number
  /** Whether the app's last attempt failed. */
  failing: boolean
}

/**
 * Divides the free slots of a process among the apps with due deliveries, max-min fair: each slot goes to the app
 * with the fewest in use. Failing apps together never use more than `failingShare` of all slots, so that any number
 * of dead receivers leaves room for working ones. `offset` rotates the order of equal apps from call to call.
 */
export function allotSlots(options: {
  total: number
  used: number
  /** The part of `used` that belongs to failing apps. */
  usedByFailing: number
  failingShare: number
  offset: number
  requests: readonly SlotRequest[]
}): Map<string, number> {
  const { requests } = options
  const granted = requests.map(() => 0)
  let free = Math.max(0, options.total - options.used)
  let freeForFailing = Math.max(0, Math.floor(options.total * options.failingShare) - options.usedByFailing)
  const level = (index: number) => requests[index]!.inFlight + granted[index]!

  let open = requests.map((_, index) => (index + options.offset) % requests.length)
  while (free > 0) {
    open = open.filter(
      (index) =>
        granted[index]! < requests[index]!.allowance && (freeForFailing > 0 || !requests[index]!.failing),
    )
    if (open.length === 0) break
    const lowest = open.reduce((least, index) => Math.min(least, level(index)), Number.POSITIVE_INFINITY)
    for (const index of open) {
      if (free === 0 || level(index) > lowest) continue
      if (requests[index]!.failing) {
        if (freeForFailing === 0) continue
        freeForFailing--
      }
      granted[index]!++
      free--
    }
  }
  return new Map(requests.flatMap(({ app_id }, i) => (granted[i]! > 0 ? [[app_id, granted[i]!]] : [])))
}
