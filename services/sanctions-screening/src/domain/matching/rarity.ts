import type { Word } from './word.ts'

/** Word frequencies of fewer entities than this are not representative. */
const minPopulation = 5_000
/** The weight of a name that every entity has is 1 minus this. */
const maxRarityDiscount = 0.75

/** Assumed share of people with a name of the class table, which is common even when few listed entities have it. */
const commonNameShare = 0.004

/**
 * Weight of a word by the number of listed entities that have it or a variant: inverse document frequency, scaled to
 * between 1 (not listed) and 0.25. `isCommonName` is true for a word in the table of name classes.
 */
export function rarityOf(bearers: number, listedEntities: number, isCommonName = false): number {
  const population = Math.max(listedEntities, minPopulation)
  const count = isCommonName ? Math.max(bearers, population * commonNameShare) : bearers
  return 1 - maxRarityDiscount * (Math.log1p(Math.min(count, population)) / Math.log1p(population))
}

/** The variants of one name share this key, so that they are counted together. */
export function rarityKey(word: Pick<Word, 'classes' | 'spelled'>): string {
  const [first] = word.classes
  return first === undefined ? word.spelled : `#${first}`
}

/** Whether a rarity key stands for a class of the table. */
export function isClassKey(key: string): boolean {
  return key.startsWith('#')
}
