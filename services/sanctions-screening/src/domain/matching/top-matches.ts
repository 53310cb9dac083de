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
  #minScore = Number.NEGATIVE_INFINITY

  /** `compare` must sort the better one first and by `score` before any other criterion. */
  constructor(limit: number, compare: (a: T, b: T) => number) {
    this.#limit = limit
    this.#compare = compare
  }

  /** Anything below this score cannot be in the result. */
  get minScore(): number {
    return this.#minScore
  }

  add(candidate: T): void {
    if (candidate.score < this.#minScore) return
    const known = this.#best.get(candidate.entity)
    if (known !== undefined && this.#compare(known, candidate) <= 0) return
    this.#best.set(candidate.entity, candidate)
    if (this.#best.size >= this.#limit) this.#raiseMinScore()
  }

  /** The best entities, best first. */
  ranked(): T[] {
    return [...this.#best.values()].sort(this.#compare).slice(0, this.#limit)
  }

  #raiseMinScore(): void {
    const scores = Float64Array.from(this.#best.values(), ({ score }) => score).sort()
    this.#minScore = scores[scores.length - this.#limit] ?? this.#minScore
    if (this.#best.size < this.#limit * pruneFactor) return
    for (const [entity, { score }] of this.#best) if (score < this.#minScore) this.#best.delete(entity)
  }
}
