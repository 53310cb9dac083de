const maxEntries = 10_000

/**
 * Caches values by key for a limited time. Concurrent callers share one load; a failed or empty result is not cached.
 */
export class ExpiringMap<V> {
  readonly #entries = new Map<string, { value: Promise<V>; expires: number }>()
  readonly #ttlMs: number
  readonly #now: () => number

  constructor(options: { ttlMs: number; now: () => number }) {
    this.#ttlMs = options.ttlMs
    this.#now = options.now
  }

  get(key: string, make: () => Promise<V>): Promise<V> {
    const kept = this.#entries.get(key)
    return kept && kept.expires > this.#now() ? kept.value : this.set(key, make())
  }

  set<W extends V>(key: string, value: Promise<W>): Promise<W> {
    const entry = { value, expires: this.#now() + this.#ttlMs }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const forget = () => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    }
    value.then((answer) => answer === undefined && forget(), forget)
    // Evict the oldest first: a Map iterates in order of insertion.
    if (this.#entries.size > maxEntries) this.#entries.delete(this.#entries.keys().next().value!)
    return value
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
