import type { ListedEntity, ListedName } from '../entity.ts'
import { hangulMark } from './fold.ts'
import { objectTokens } from './object-tokens.ts'
import { personTokens } from './person-tokens.ts'
import { readingsOf } from './readings.ts'
import type { NameDomain, Token } from './tokens.ts'
import { type Word, wordOf } from './word.ts'

/** Words that weigh no more than this (particles, titles, legal forms) find nobody; they only refine a score. */
export const smallWeight = 0.13

/** A family name says more than a middle name. */
const roleFactor = { family: 1.15, given: 1, middle: 0.75 } as const

/** No word of a listed name weighs more. */
export const heaviestListed = roleFactor.family

/** A word of a listed name; `draft` is its number in the order of first appearance. */
export interface Occurrence {
  draft: number
  token: Token
  /** Weight by the role of the name part. */
  factor: number
}

export interface ParsedName {
  /** Position among the entities. */
  entity: number
  /** Position in the entity's `names`. */
  ordinal: number
  occurrences: Occurrence[]
}

export interface ParsedNames {
  names: ParsedName[]
  words: Word[]
}

export function tokensOf(text: string, domain: NameDomain): Token[] {
  return domain === 'person' ? personTokens(text) : objectTokens(text)
}

const entitiesInStep = 250

/** The names of persons, or of everything else, as words; a generator, so that the caller may pause. */
export function* parseNames(
  entities: readonly ListedEntity[],
  domain: NameDomain,
): Generator<void, ParsedNames> {
  const names: ParsedName[] = []
  const words: Word[] = []
  const drafts = new Map<string, number>()
  const draftOf = (token: Token): number => {
    const key = token.script === 'hangul' ? hangulMark + token.text : token.text
    const known = drafts.get(key)
    if (known !== undefined) return known
    drafts.set(key, words.length)
    return words.push(wordOf(token, domain, 0)) - 1
  }
  for (const [at, entity] of entities.entries()) {
    if (at % entitiesInStep === 0) yield
    if ((entity.type === 'person') !== (domain === 'person')) continue
    entity.names.forEach((name, ordinal) => {
      for (const text of readingsOf(name.full)) {
        const weighed = domain === 'person' ? weighPersonTokens(text, name) : weighObjectTokens(text)
        const occurrences = weighed.map(([token, factor]) => ({ draft: draftOf(token), token, factor }))
        if (occurrences.length > 0) names.push({ entity: at, ordinal, occurrences })
      }
    })
  }
  return { names, words }
}

function weighObjectTokens(text: string): [Token, number][] {
  return objectTokens(text).map((token) => [token, roleFactor.given])
}

/**
 * Family and first given name carry a name; what stands between is often left out. Where the publisher gives no
 * parts, the words between the first and the last are taken as the middle.
 */
function weighPersonTokens(text: string, { parts }: ListedName): [Token, number][] {
  const family = parts?.last === undefined ? [] : personTokens(parts.last)
  const tokens = personTokens(text)
  const names = tokens.filter((token) => token.base > smallWeight)
  const first = names[0]
  const last = family.length === 0 ? names[names.length - 1] : undefined
  return tokens.map((token) => {
    // A title that is the whole family name is a name (Hajji, Khan): the part read alone says so.
    const ofFamily = family.find((other) => other.text === token.text)
    if (ofFamily !== undefined) return [ofFamily, roleFactor.family]
    return [token, token === first || token === last ? roleFactor.given : roleFactor.middle]
  })
}
