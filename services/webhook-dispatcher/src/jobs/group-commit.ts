/**
 * Writes items in groups: items that arrive during a write form the next group. `add` resolves when its item is
 * written; a failed write rejects every item of its group.
 */
export class GroupCommit<T, R> {
  readonly #write: (items: readonly T[]) => Promise<R>
  readonly #maxItems: number
  #waiting: { item: T; settle: (result: R) => void; fail: (error: unknown) => void }[] = []
  #writing = false

  constructor(write: (items: readonly T[]) => Promise<R>, maxItems = 200) {
    this.#write = write
    this.#maxItems = maxItems
  }

  add(item: T): Promise<R> {
    return new Promise<R>((settle, fail) => {
      this.#waiting.push({ item, settle, fail })
      if (!this.#writing) {
        this.#writing = true
        // Run at the end of this event loop turn, so that items of the same turn form one group.
        setImmediate(() => void this.#writeAll())
      }
    })
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#maxItems)
      try {
        const result = await this.#write(group.map(({ item }) => item))
        for (const { settle } of group) settle(result)
      } catch (error) {
        for (const { fail } of group) fail(error)
      }
    }
    this.#writing = false
  }
}
