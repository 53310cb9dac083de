const windowMs = 100

/** Counts recently ended attempts, as an estimate of how many end while the next leases are fetched. */
export class Turnover {
  #window = 0
  #current = 0
  #previous = 0

  add(nowMs: number): void {
    this.#advance(nowMs)
    this.#current++
  }

  /** Attempts that ended in the previous tenth of a second or in the current one, whichever has more. */
  recent(nowMs: number): number {
    this.#advance(nowMs)
    return Math.max(this.#current, this.#previous)
  }

  #advance(nowMs: number): void {
    const window = Math.floor(nowMs / windowMs)
    if (window === this.#window) return
    this.#previous = window === this.#window + 1 ? this.#current : 0
    this.#current = 0
    this.#window = window
  }
}
