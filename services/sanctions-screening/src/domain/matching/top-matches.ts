/** What is ranked: one evaluated name of an entity. */
export type Ranked = {
  /** Position of the entity. */
  entity: number
  score: number
}

/** Kept beyond the limit before the worst are dropped. */
const pruneFactor = 4

/** The best name of each entity, and the best entities: exact, however many are offered. */
export class TopMatches<T extends Ranked> {
  readonly #limit: number
  readonly #compare: (a: T, b: T) => number
  readonly #best = new Map<number, T>()
  #least = Number.NEGATIVE_INFINITY

  /** `compare` orders the better first, by `score` before all else. */
  constructor(limit: number, compare: (a: T, b: T) => number) {
    this.#limit = limit
    this.#compare = compare
  }

  /** What scores less than this is not in the answer. */
  get minScore(): number {
    return this.#least
  }

  add(candidate: T): void {
    if (candidate.score < this.#least) return
    const known = this.#best.get(candidate.entity)
    if (known !== undefined && this.#compare(known, candidate) <= 0) return
    this.#best.set(candidate.entity, candidate)
    if (this.#best.size >= this.#limit) this.#raiseLeast()
  }

  /** Best first, at most `limit`. */
  ranked(): T[] {
    return [...this.#best.values()].sort(this.#compare).slice(0, this.#limit)
  }

  #raiseLeast(): void {
    const scores = Float64Array.from(this.#best.values(), ({ score }) => score).sort()
    this.#least = scores[scores.length - this.#limit] ?? this.#least
    if (this.#best.size < this.#limit * pruneFactor) return
    for (const [entity, { score }] of this.#best) if (score < this.#least) this.#best.delete(entity)
  }
}
