import type { ListedEntity, ListedName } from '../entity.ts'
import { hangulMark } from './fold.ts'
import { objectTokens } from './object-tokens.ts'
import { personTokens } from './person-tokens.ts'
import { splitPublishedName } from './published-names.ts'
import type { NameDomain, Token } from './tokens.ts'
import { type Word, wordOf } from './word.ts'

/** Words up to this weight (particles, titles, legal forms) produce no candidates; they only refine a score. */
export const maxMinorWeight = 0.13

/** A family name is stronger evidence than a middle name. */
const roleWeights = { family: 1.15, given: 1, middle: 0.75 } as const

/** Upper bound of the weight of a listed word. */
export const maxRoleWeight = roleWeights.family

/** A word of a listed name. */
type Occurrence = {
  /** Index in `ParsedNames.words`. */
  wordIndex: number
  token: Token
  /** Weight by the role of the name part. */
  roleWeight: number
}

export type ParsedName = {
  /** Position among the entities. */
  entity: number
  /** Position in the entity's `names`. */
  ordinal: number
  occurrences: Occurrence[]
}

export type ParsedNames = {
  names: ParsedName[]
  words: Word[]
}

export function tokensOf(text: string, domain: NameDomain): Token[] {
  return domain === 'person' ? personTokens(text) : objectTokens(text)
}

const entitiesPerStep = 250

/** Splits the names of one domain into words. A generator, so that the caller can yield to the event loop. */
export function* parseNames(
  entities: readonly ListedEntity[],
  domain: NameDomain,
): Generator<void, ParsedNames> {
  const names: ParsedName[] = []
  const words: Word[] = []
  const wordIndexes = new Map<string, number>()
  const wordIndexOf = (token: Token): number => {
    const key = token.script === 'hangul' ? hangulMark + token.text : token.text
    const known = wordIndexes.get(key)
    if (known !== undefined) return known
    wordIndexes.set(key, words.length)
    return words.push(wordOf(token, domain, 0)) - 1
  }
  for (const [i, entity] of entities.entries()) {
    if (i % entitiesPerStep === 0) yield
    if ((entity.type === 'person') !== (domain === 'person')) continue
    entity.names.forEach((name, ordinal) => {
      for (const text of splitPublishedName(name.full)) {
        const weightedTokens = domain === 'person' ? weighPersonTokens(text, name) : weighObjectTokens(text)
        const occurrences = weightedTokens.map(([token, roleWeight]) => ({
          wordIndex: wordIndexOf(token),
          token,
          roleWeight,
        }))
        if (occurrences.length > 0) names.push({ entity: i, ordinal, occurrences })
      }
    })
  }
  return { names, words }
}

function weighObjectTokens(text: string): [Token, number][] {
  return objectTokens(text).map((token) => [token, roleWeights.given])
}

/**
 * Weighs the family name and the first given name more than middle names, which are often omitted. When the publisher
 * does not separate the parts, the words between the first and the last count as middle names.
 */
function weighPersonTokens(text: string, { parts }: ListedName): [Token, number][] {
  const family = parts?.last === undefined ? [] : personTokens(parts.last)
  const tokens = personTokens(text)
  const names = tokens.filter((token) => token.base > maxMinorWeight)
  const first = names[0]
  const last = family.length === 0 ? names[names.length - 1] : undefined
  return tokens.map((token) => {
    // A title that is the complete family name (Hajji, Khan) is a name, as tokenising the part on its own shows.
    const familyToken = family.find((other) => other.text === token.text)
    if (familyToken !== undefined) return [familyToken, roleWeights.family]
    return [token, token === first || token === last ? roleWeights.given : roleWeights.middle]
  })
}
