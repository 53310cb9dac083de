export type StoredObject = { name: string; bytes: number; modified_at: Date }

/** `bytes` is the total size; `body` yields pieces of any size. */
export type StoredStream = { bytes: number; body: AsyncIterable<Buffer>; close(): Promise<void> }

/** Data to write, in memory or as a stream. */
export type Body = readonly Uint8Array[] | AsyncIterable<Uint8Array>

/**
 * A store of named bytes. Every implementation guarantees three things: a name shows either nothing, the old or the
 * complete new object; `create` has one winner however many processes race; and what `write` confirmed survives a power
 * failure. Failures of the medium are `VaultStorageError`.
 */
export type ObjectStore = {
  /** `create` returns `exists`, and changes nothing, when the name is taken. */
  write(name: string, body: Body, mode: 'create' | 'replace'): Promise<'written' | 'exists'>
  /** The whole object in a buffer that the caller may change, or undefined when there is none. */
  read(name: string): Promise<Buffer | undefined>
  /** The object piece by piece, or undefined when there is none. The caller must always call `close`. */
  stream(name: string): Promise<StoredStream | undefined>
  exists(name: string): Promise<boolean>
  /** True when there was something to delete. */
  delete(name: string): Promise<boolean>
  /** The names one level below `folder`, relative to it, of objects and folders alike. */
  children(folder: string): AsyncIterable<string>
  /** Every object below `folder`, at any depth. */
  list(folder: string): AsyncIterable<StoredObject>
  /** Deletes what an interrupted write left behind before `before`; returns how many. */
  collectOrphans(before: Date): Promise<number>
  /** Throws when the medium cannot guarantee what the vault needs. */
  check(): Promise<void>
}
