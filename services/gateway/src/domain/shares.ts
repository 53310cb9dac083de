/** A bounded resource (waiting slots, bytes of request bodies) that no caller can use up alone. */
export type Shares = {
  /** False if nothing is left for this caller. */
  take(caller: string, amount?: number): boolean
  release(caller: string, amount?: number): void
  readonly used: number
}

/**
 * A caller within its `share` can take whatever is free; a caller beyond it must leave the last quarter of `total` to
 * callers within theirs. A single caller still gets three quarters, so that one busy client is not limited to its fair
 * share.
 */
export function createShares({ total, share }: { total: number; share: number }): Shares {
  const open = total - Math.floor(total / 4)
  const callers = new Map<string, number>()
  let used = 0
  return {
    take(caller, amount = 1) {
      const own = callers.get(caller) ?? 0
      if (used + amount > (own + amount <= share ? total : open)) return false
      callers.set(caller, own + amount)
      used += amount
      return true
    },
    release(caller, amount = 1) {
      const own = (callers.get(caller) ?? 0) - amount
      if (own > 0) callers.set(caller, own)
      else callers.delete(caller)
      used -= amount
    },
    get used() {
      return used
    },
  }
}
