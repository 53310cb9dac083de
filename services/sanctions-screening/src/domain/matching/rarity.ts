import type { Word } from './word.ts'

/** A list shorter than this says little of how common a name is. */
const minPopulation = 5_000
/** What is left of the weight of a name that everybody bears: 1 - spread. */
const maxRarityDiscount = 0.75

/** A name of the class table is common in the world, however few listed entities bear it. */
const commonNameShare = 0.004

/**
 * Weight of a word by how many of the listed entities bear it or a variant, 1 (unseen) down to 0.25: the inverse
 * document frequency, scaled to its largest value. `known`: the word is in the table of name classes.
 */
export function rarityOf(bearers: number, listedEntities: number, isCommonName = false): number {
  const population = Math.max(listedEntities, minPopulation)
  const count = isCommonName ? Math.max(bearers, population * commonNameShare) : bearers
  return 1 - maxRarityDiscount * (Math.log1p(Math.min(count, population)) / Math.log1p(population))
}

/** Under this key the variants of one name count together. */
export function rarityKey(word: Pick<Word, 'classes' | 'spelled'>): string {
  const [first] = word.classes
  return first === undefined ? word.spelled : `#${first}`
}

/** Whether a rarity key is of a class of the table. */
export function isClassKey(key: string): boolean {
  return key.startsWith('#')
}
