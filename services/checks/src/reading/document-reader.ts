import type { SecureQrKey } from '../domain/aadhaar/index.ts'
import { interpretCodes } from '../domain/document/barcode.ts'
import type { SideReading } from '../domain/document/side-reading.ts'
import type { ReadingPool } from './reading-pool.ts'

/** Reads photos of documents; tests may replace it. */
export interface DocumentReader {
  /** See `ReadingPool.read`. */
  read(image: Uint8Array, today: Date): Promise<SideReading>
}

/**
 * The reading pool, opened in the background: the service starts immediately, and the first photos wait for the models.
 * A failed start rejects the pending reads, and the next photo tries again.
 */
export class PooledDocumentReader implements DocumentReader {
  readonly #open: () => Promise<ReadingPool>
  readonly #keys: () => Promise<readonly SecureQrKey[]>
  #pool: Promise<ReadingPool> | null = null
  #ready = false
  #closed = false

  /** `keys` returns the certificates' keys that verify signed codes. */
  constructor(open: () => Promise<ReadingPool>, keys: () => Promise<readonly SecureQrKey[]>) {
    this.#open = open
    this.#keys = keys
  }

  get ready(): boolean {
    return this.#ready
  }

  /** Starts opening without waiting. `onError` receives a failure. */
  start(onError: (error: unknown) => void): void {
    this.#opened().catch(onError)
  }

  async read(image: Uint8Array, today: Date): Promise<SideReading> {
    const { codes, ...reading } = await (await this.#opened()).read(image, today)
    return { ...reading, barcode: interpretCodes(codes, codes.length > 0 ? await this.#keys() : []) }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#ready = false
    const pool = await this.#pool?.catch(() => null)
    await pool?.close()
  }

  #opened(): Promise<ReadingPool> {
    this.#pool ??= this.#open().then(
      (pool) => {
        this.#ready = !this.#closed
        return pool
      },
      (error: unknown) => {
        this.#pool = null
        throw error
      },
    )
    return this.#pool
  }
}
