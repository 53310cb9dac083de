/** Runs work of one key in the given order and work of different keys concurrently. Tracks what is in flight. */
export class SerialByKey {
  readonly #tails = new Map<string, Promise<void>>()
  readonly #inFlight = new Set<Promise<void>>()

  get size(): number {
    return this.#inFlight.size
  }

  /** Resolves when the work is done and no longer counted. `work` must not reject. */
  run(key: string | undefined, work: () => Promise<void>): Promise<void> {
    const before = key === undefined ? undefined : this.#tails.get(key)
    const done = before ? before.then(work) : work()
    this.#inFlight.add(done)
    if (key !== undefined) this.#tails.set(key, done)
    return done.then(() => {
      this.#inFlight.delete(done)
      if (key !== undefined && this.#tails.get(key) === done) this.#tails.delete(key)
    })
  }

  /** Resolves when nothing is in flight, including what is added meanwhile. */
  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight)
  }
}
