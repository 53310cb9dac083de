/** Collects the rows of handled messages, so that one statement deletes many. */
export class Removals {
  readonly #remove: (seqs: readonly string[]) => Promise<void>
  #waiting: { seq: string; resolve(): void; reject(error: unknown): void }[] = []
  #busy = false

  constructor(remove: (seqs: readonly string[]) => Promise<void>) {
    this.#remove = remove
  }

  /** Resolves when the row is deleted. */
  remove(seq: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ seq, resolve, reject })
      if (!this.#busy) {
        this.#busy = true
        setImmediate(() => void this.#flush())
      }
    })
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      try {
        await this.#remove(batch.map(({ seq }) => seq))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#busy = false
  }
}
