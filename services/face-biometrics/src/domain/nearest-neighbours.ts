import { createDotProductKernel, type DotProductKernel } from './dot-product-kernel.ts'
import { reserve } from './wasm-assembler.ts'

/** `similarity` is the cosine, accurate to `SIMILARITY_ERROR`. */
export type Neighbour = { id: string; similarity: number }

/** Unit vectors are stored as 16-bit fixed point, so that a dot product fits in 32 bits. */
const ONE = 1 << 14
/**
 * Maximum error of fixed point for a cosine of 128 dimensions: each number is off by at most half a step, so the sum is
 * off by at most the other vector's absolute sum (√128) times that, for both vectors.
 */
export const SIMILARITY_ERROR = Math.sqrt(128) / ONE

/** Rows scanned per call, which bounds the list of hits. */
const CHUNK_ROWS = 65_536
const HIT_BYTES = 8

/**
 * Embeddings of one app in one block of memory, with exact search: every vector is compared, so recall is 1. One
 * million vectors of 128 dimensions take 256 MB. Vectors have length one.
 */
export class NearestNeighbours {
  readonly #dimensions: number
  readonly #kernel: DotProductKernel
  readonly #hitsAddress: number
  readonly #rowsAddress: number
  readonly #ids: string[] = []
  readonly #rowOf = new Map<string, number>()

  /** `dimensions`: a multiple of 8. */
  constructor(dimensions: number) {
    this.#dimensions = dimensions
    this.#kernel = createDotProductKernel(dimensions)
    this.#hitsAddress = dimensions * 2
    this.#rowsAddress = this.#hitsAddress + CHUNK_ROWS * HIT_BYTES
  }

  get size(): number {
    return this.#ids.length
  }

  has(id: string): boolean {
    return this.#rowOf.has(id)
  }

  /** Adds a vector, or replaces the one with the same id. */
  set(id: string, vector: Float32Array): void {
    let row = this.#rowOf.get(id)
    if (row === undefined) {
      row = this.#ids.length
      this.#reserve(row + 1)
      this.#ids.push(id)
      this.#rowOf.set(id, row)
    }
    this.#write(this.#rowAddress(row), vector)
  }

  /** Deletes a vector and overwrites its memory immediately. True if it existed. */
  delete(id: string): boolean {
    const row = this.#rowOf.get(id)
    if (row === undefined) return false
    const lastRow = this.#ids.length - 1
    const lastId = this.#ids[lastRow]!
    const bytes = new Uint8Array(this.#kernel.memory.buffer)
    const last = this.#rowAddress(lastRow)
    // Move the last row into the gap, so that rows stay contiguous.
    bytes.copyWithin(this.#rowAddress(row), last, last + this.#dimensions * 2)
    bytes.fill(0, last, last + this.#dimensions * 2)
    this.#ids[row] = lastId
    this.#rowOf.set(lastId, row)
    this.#ids.pop()
    this.#rowOf.delete(id)
    return true
  }

  /**
   * Vectors whose cosine similarity is at least `minSimilarity` (minus `SIMILARITY_ERROR`, so that none is missed),
   * nearest first, at most `limit`.
   */
  search(query: Float32Array, minSimilarity: number, limit: number): Neighbour[] {
    this.#reserve(0)
    this.#write(0, query)
    const minimum = Math.floor((minSimilarity - SIMILARITY_ERROR) * ONE * ONE)
    const found: Neighbour[] = []
    for (let first = 0; first < this.#ids.length; first += CHUNK_ROWS) {
      const count = Math.min(CHUNK_ROWS, this.#ids.length - first)
      const end = this.#kernel.scan(0, this.#rowAddress(first), count, minimum, this.#hitsAddress)
      const hits = new Int32Array(
        this.#kernel.memory.buffer,
        this.#hitsAddress,
        (end - this.#hitsAddress) / 4,
      )
      for (let index = 0; index < hits.length; index += 2)
        found.push({ id: this.#ids[first + hits[index]!]!, similarity: hits[index + 1]! / (ONE * ONE) })
    }
    return found.sort((a, b) => b.similarity - a.similarity).slice(0, limit)
  }

  #rowAddress(row: number): number {
    return this.#rowsAddress + row * this.#dimensions * 2
  }

  #write(address: number, vector: Float32Array): void {
    if (vector.length !== this.#dimensions)
      throw new RangeError(`a vector of ${vector.length} values does not fit ${this.#dimensions} dimensions`)
    const row = new Int16Array(this.#kernel.memory.buffer, address, this.#dimensions)
    for (const [index, value] of vector.entries()) row[index] = Math.round(value * ONE)
  }

  #reserve(rows: number): void {
    const { memory } = this.#kernel
    const wanted = this.#rowAddress(rows)
    // Grow by at least a quarter, so that additions are amortised.
    if (wanted > memory.buffer.byteLength) reserve(memory, Math.max(wanted, memory.buffer.byteLength * 1.25))
  }
}
