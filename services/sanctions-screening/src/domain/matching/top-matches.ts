/** A scored name of an entity. */
type Ranked = {
  /** Index of the entity. */
  entity: number
  score: number
}

/** Entities are pruned when there are this many times the limit. */
const pruneFactor = 4

/** Collects the best name of each entity and the best entities. Exact for any number of added names. */
export class TopMatches<T extends Ranked> {
  readonly #limit: number
  readonly #compare: (a: T, b: T) => number
  readonly #best = new Map<number, T>()
  #least = Number.NEGATIVE_INFINITY

  /** `compare` must sort the better one first and by `score` before any other criterion. */
  constructor(limit: number, compare: (a: T, b: T) => number) {
    this.#limit = limit
    this.#compare = compare
  }

  /** Anything below this score cannot be in the result. */
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

  /** The best entities, best first. */
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
