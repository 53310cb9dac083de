import type { ListedEntity, ListedName } from '../entity.ts'
import { hangulMark } from './fold.ts'
import { objectTokens } from './objectTokens.ts'
import { personTokens } from './personTokens.ts'
import { readingsOf } from './readings.ts'
import type { Word } from './similarity.ts'
import type { NameDomain, Token } from './tokens.ts'
import { wordOf } from './word.ts'

/** Roles the publisher gave: a family name says more than a middle name. */
const roleFactor = { family: 1.15, given: 1, middle: 0.85 } as const

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

/** The names of persons, or of everything else, as words. */
export function parseNames(entities: readonly ListedEntity[], domain: NameDomain): ParsedNames {
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
  entities.forEach((entity, at) => {
    if ((entity.type === 'person') !== (domain === 'person')) return
    entity.names.forEach((name, ordinal) => {
      for (const text of readingsOf(name.full)) {
        const weighed = domain === 'person' ? weighPersonTokens(text, name) : weighObjectTokens(text)
        const occurrences = weighed.map(([token, factor]) => ({ draft: draftOf(token), token, factor }))
        if (occurrences.length > 0) names.push({ entity: at, ordinal, occurrences })
      }
    })
  })
  return { names, words }
}

function weighObjectTokens(text: string): [Token, number][] {
  return objectTokens(text).map((token) => [token, roleFactor.given])
}

function weighPersonTokens(text: string, { parts }: ListedName): [Token, number][] {
  const family = parts?.last === undefined ? [] : personTokens(parts.last)
  const middle = parts?.middle === undefined ? [] : personTokens(parts.middle)
  return personTokens(text).map((token) => {
    // A title that is the whole family name is a name (Hajji, Khan): the part read alone says so.
    const ofFamily = family.find((other) => other.text === token.text)
    if (ofFamily !== undefined) return [ofFamily, roleFactor.family]
    const ofMiddle = middle.some((other) => other.text === token.text)
    return [token, ofMiddle ? roleFactor.middle : roleFactor.given]
  })
}
