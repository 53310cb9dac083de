import { checkContext, names } from './scope.ts'
import type { ObjectStore } from './store/object-store.ts'

/**
 * Heads of append-only logs that are stored elsewhere: one small document per head, named by the last entry it covers.
 * They are stored with the purge ledger, because neither may ever be restored to an older state. They contain no
 * personal data, so they are not encrypted and can be copied and checked without a key.
 */
export type Heads = {
  /** A head is created once and never changed. Returns `superseded` and writes nothing when a newer one is stored. */
  append(log: string, seq: number, document: Uint8Array): Promise<'written' | 'exists' | 'superseded'>
  /** The `seq` of every stored head, in ascending order. */
  list(log: string): Promise<number[]>
  /** Undefined when no head has this `seq`. */
  read(log: string, seq: number): Promise<Buffer | undefined>
  /** Deletes a head that a newer one covers; the newest is never deleted. Returns true when one was deleted. */
  prune(log: string, seq: number): Promise<boolean>
}

export function createHeads(store: ObjectStore): Heads {
  const nameOf = (log: string, seq: number) => {
    if (!Number.isSafeInteger(seq) || seq < 1) throw new TypeError('seq must be a positive integer.')
    return names.head(checkContext(log), seq)
  }

  async function list(log: string): Promise<number[]> {
    const found: number[] = []
    for await (const child of store.children(names.heads(checkContext(log))))
      if (/^[1-9][0-9]{0,14}$/.test(child)) found.push(Number(child))
    return found.sort((a, b) => a - b)
  }

  return {
    list,

    async append(log, seq, document) {
      const name = nameOf(log, seq)
      if (((await list(log)).at(-1) ?? 0) > seq) return 'superseded'
      return store.write(name, [document], 'create')
    },

    read: async (log, seq) => store.read(nameOf(log, seq)),

    async prune(log, seq) {
      const name = nameOf(log, seq)
      if (((await list(log)).at(-1) ?? 0) <= seq) return false
      return store.delete(name)
    },
  }
}
