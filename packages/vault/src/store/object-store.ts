export type StoredObject = { name: string; bytes: number; modified_at: Date }

/** `bytes` in all, in pieces of any size. */
export type StoredStream = { bytes: number; body: AsyncIterable<Buffer>; close(): Promise<void> }

/** What is written at once or as it comes. */
export type Body = readonly Uint8Array[] | AsyncIterable<Uint8Array>

/**
 * Named bytes. Every implementation keeps three promises: a name shows either nothing, the old or the whole
 * new object, never a half; `create` has one winner however many processes race; what `write` confirmed
 * survives a power cut. Failures of the medium are `VaultStorageError`.
 */
export type ObjectStore = {
  /** `create` answers `exists`, and changes nothing, when the name is taken. */
  write(name: string, body: Body, mode: 'create' | 'replace'): Promise<'written' | 'exists'>
  /** The whole object in memory that is the caller's to change, or undefined when there is none. */
  read(name: string): Promise<Buffer | undefined>
  /** The object piece by piece, or undefined when there is none. Whoever asked calls `close`, always. */
  stream(name: string): Promise<StoredStream | undefined>
  exists(name: string): Promise<boolean>
  /** True when there was something to delete. */
  delete(name: string): Promise<boolean>
  /** The names one level below `folder`, without the folder, objects and folders alike. */
  children(folder: string): AsyncIterable<string>
  /** Every object below `folder`, at any depth. */
  list(folder: string): AsyncIterable<StoredObject>
  /** Deletes what an interrupted write left behind before `before`; answers how many. */
  collectOrphans(before: Date): Promise<number>
  /** Refuses (throws) a medium that cannot keep what the vault promises. */
  check(): Promise<void>
}
