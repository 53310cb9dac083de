type Waiting<V> = {
  promise: Promise<V | undefined>
  resolve(value: V | undefined): void
  reject(error: unknown): void
}

export type BatchedLookup<V> = (key: string) => Promise<V | undefined>

/**
 * Looks up keys in shared statements. While `maxInFlight` batches are running, all further keys wait and are looked up
 * together in the next one. This bounds the cost of a flood of unknown keys and how long others wait: a key waits for
 * the batches in flight and at most one batch per `maxBatch` keys before it.
 */
export function createBatchedLookup<V>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  { maxBatch = 1_000, maxInFlight = 2 }: { maxBatch?: number; maxInFlight?: number } = {},
): BatchedLookup<V> {
  const waiting = new Map<string, Waiting<V>>()
  let inFlight = 0
  let scheduled = false

  const pump = (): void => {
    scheduled = false
    while (inFlight < maxInFlight && waiting.size > 0) {
      const batch: [string, Waiting<V>][] = []
      for (const entry of waiting) {
        batch.push(entry)
        waiting.delete(entry[0])
        if (batch.length === maxBatch) break
      }
      inFlight++
      void run(batch).finally(() => {
        inFlight--
        pump()
      })
    }
  }
  const run = async (batch: readonly [string, Waiting<V>][]): Promise<void> => {
    try {
      const found = await find(batch.map(([key]) => key))
      for (const [key, { resolve }] of batch) resolve(found.get(key))
    } catch (error) {
      for (const [, { reject }] of batch) reject(error)
    }
  }

  return (key) => {
    const same = waiting.get(key)
    if (same) return same.promise
    let settle!: Pick<Waiting<V>, 'resolve' | 'reject'>
    const promise = new Promise<V | undefined>((resolve, reject) => {
      settle = { resolve, reject }
    })
    waiting.set(key, { promise, ...settle })
    // Runs after the other requests of this turn of the event loop, so that they share the batch.
    if (!scheduled) {
      scheduled = true
      setImmediate(pump)
    }
    return promise
  }
}
