/** A list shorter than this says little of how common a name is. */
const leastBearers = 5_000
/** What is left of the weight of a name that everybody bears: 1 - spread. */
const spread = 0.75

/**
 * Weight of a word by how many of the listed entities bear it or a variant, 1 (unseen) down to 0.25: the inverse
 * document frequency, scaled to its largest value.
 */
export function rarityOf(bearers: number, all: number): number {
  return 1 - spread * (Math.log1p(Math.min(bearers, all)) / Math.log1p(Math.max(all, leastBearers)))
}
