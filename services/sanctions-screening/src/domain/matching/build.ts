import type { ListedEntity, ListedName, ListId, SanctionsList } from '../entity.ts'
import { hangulMark } from './fold.ts'
import { objectTokens } from './objectTokens.ts'
import { personTokens } from './personTokens.ts'
import { rarityOf } from './rarity.ts'
import { readingsOf } from './readings.ts'
import type { Word } from './similarity.ts'
import type { NameDomain, Token } from './tokens.ts'
import { Vocabulary } from './vocabulary.ts'
import { wordOf } from './word.ts'

/** Words that weigh no more than this (particles, titles, legal forms) find nobody; they only refine a score. */
export const smallWeight = 0.13

/** Roles the publisher gave: a family name says more than a middle name. */
const roleFactor = { family: 1.15, given: 1, middle: 0.85 } as const

/** One listed name: its words in the order of the text, with their weights in this name. */
export interface IndexedName {
  /** Position in `ScreeningIndex.entities`. */
  entity: number
  /** Position in the entity's `names`. */
  ordinal: number
}

/** Names of persons, or of everything else, in typed arrays. Name n has the words at nameStart[n] to nameStart[n+1]. */
export interface DomainIndex {
  domain: NameDomain
  vocabulary: Vocabulary
  nameCount: number
  nameEntity: Uint32Array
  nameOrdinal: Uint16Array
  nameStart: Uint32Array
  nameWord: Uint32Array
  nameWordWeight: Float32Array
  /** 1: an initial. 2: too light to find anybody. */
  nameWordFlag: Uint8Array
  /** Sum of the weights of a name's words that are not small, initials apart. */
  nameWeight: Float32Array
  /** Sum of the weights of its small words and initials. */
  nameSmallWeight: Float32Array
  nameInitials: Uint8Array
  /** Postings: word w occurs in the names at postingStart[w] to postingStart[w+1], with its weight there. */
  postingStart: Uint32Array
  postingName: Uint32Array
  postingWeight: Float32Array
  /** Rarity by class or spelling key, for words of a query that no list holds. */
  rarityByKey: Map<string, number>
  scratch: Scratch
}

/** Accumulators of one query, cleared after it; an index serves one query at a time, as JavaScript does. */
export interface Scratch {
  gained: Float32Array
  matched: Float32Array
  covered: Float32Array
  seenBy: Uint16Array
  touched: Uint32Array
}

export interface ScreeningIndex {
  entities: readonly ListedEntity[]
  versions: ReadonlyMap<ListId, string>
  person: DomainIndex
  object: DomainIndex
}

export const initialFlag = 1
export const smallFlag = 2

/** Builds the index over every name of every entity; about 2 s for 40,000 names on one thread. */
export function buildIndex(lists: readonly SanctionsList[]): ScreeningIndex {
  const entities = lists.flatMap((list) => list.entities)
  return {
    entities,
    versions: new Map(lists.map((list) => [list.id, list.version])),
    person: buildDomain(entities, 'person'),
    object: buildDomain(entities, 'object'),
  }
}

export function tokensOf(text: string, domain: NameDomain): Token[] {
  return domain === 'person' ? personTokens(text) : objectTokens(text)
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

interface Occurrence {
  key: string
  token: Token
  factor: number
}

interface ParsedName extends IndexedName {
  occurrences: Occurrence[]
}

function buildDomain(entities: readonly ListedEntity[], domain: NameDomain): DomainIndex {
  const parsed: ParsedName[] = []
  const drafts = new Map<string, Word>()
  entities.forEach((entity, at) => {
    if ((entity.type === 'person') !== (domain === 'person')) return
    entity.names.forEach((name, ordinal) => {
      for (const text of readingsOf(name.full)) {
        const occurrences = occurrencesOf({ ...name, full: text }, domain)
        for (const { key, token } of occurrences) {
          if (!drafts.has(key)) drafts.set(key, wordOf(token, domain, 0))
        }
        if (occurrences.length > 0) parsed.push({ entity: at, ordinal, occurrences })
      }
    })
  })
  const frequency = countBearers(parsed, drafts)
  const words = [...drafts]
    .map(([key, word]) => ({ key, word: { ...word, frequency: frequency.ofWord.get(key) ?? 0 } }))
    .sort((a, b) => a.word.symbols.length - b.word.symbols.length || compare(a.key, b.key))
  const ids = new Map(words.map(({ key }, id) => [key, id]))
  const rarityByKey = new Map<string, number>()
  for (const [key, count] of frequency.ofKey)
    rarityByKey.set(key, rarityOf(count, frequency.bearers, isClassKey(key)))
  return {
    domain,
    vocabulary: new Vocabulary(
      words.map(({ word }) => word),
      domain,
    ),
    rarityByKey,
    ...layOut(
      parsed,
      ids,
      words.map(({ word }) => word),
      rarityByKey,
    ),
  }
}

function occurrencesOf(name: ListedName, domain: NameDomain): Occurrence[] {
  const tokens = tokensOf(name.full, domain)
  const family = domain === 'person' ? wordsOfPart(name.parts?.last) : null
  const middle = domain === 'person' ? wordsOfPart(name.parts?.middle) : null
  return tokens.map((token) => {
    const ofFamily = family?.get(token.text)
    return {
      key: token.script === 'hangul' ? hangulMark + token.text : token.text,
      // A title that is the whole family name is a name (Hajji, Khan): the part read alone says so.
      token: ofFamily ?? token,
      factor: ofFamily ? roleFactor.family : middle?.has(token.text) ? roleFactor.middle : roleFactor.given,
    }
  })
}

function wordsOfPart(part: string | undefined): Map<string, Token> | null {
  return part === undefined ? null : new Map(personTokens(part).map((token) => [token.text, token]))
}

/** How many entities bear a word, and how many bear it or a variant of it. */
function countBearers(parsed: readonly ParsedName[], drafts: ReadonlyMap<string, Word>) {
  const ofWord = new Map<string, number>()
  const ofKey = new Map<string, number>()
  const lastBearer = new Map<string, number>()
  const count = (counts: Map<string, number>, prefix: string, key: string, entity: number) => {
    if (lastBearer.get(prefix + key) === entity) return
    lastBearer.set(prefix + key, entity)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const bearers = new Set<number>()
  for (const { entity, occurrences } of parsed) {
    bearers.add(entity)
    for (const { key } of occurrences) {
      count(ofWord, 'w', key, entity)
      const word = drafts.get(key)
      if (word !== undefined) count(ofKey, 'k', rarityKey(word), entity)
    }
  }
  return { ofWord, ofKey, bearers: bearers.size }
}

function layOut(
  parsed: readonly ParsedName[],
  ids: ReadonlyMap<string, number>,
  words: readonly Word[],
  rarityByKey: ReadonlyMap<string, number>,
) {
  const total = parsed.reduce((sum, { occurrences }) => sum + occurrences.length, 0)
  const nameCount = parsed.length
  const nameEntity = Uint32Array.from(parsed, ({ entity }) => entity)
  const nameOrdinal = Uint16Array.from(parsed, ({ ordinal }) => ordinal)
  const nameStart = new Uint32Array(nameCount + 1)
  const nameWord = new Uint32Array(total)
  const nameWordWeight = new Float32Array(total)
  const nameWordFlag = new Uint8Array(total)
  const nameWeight = new Float32Array(nameCount)
  const nameSmallWeight = new Float32Array(nameCount)
  const nameInitials = new Uint8Array(nameCount)
  const postingStart = new Uint32Array(words.length + 1)
  let at = 0
  parsed.forEach(({ occurrences }, name) => {
    nameStart[name] = at
    for (const { key, token, factor } of occurrences) {
      const id = ids.get(key) ?? 0
      const small = token.base <= smallWeight
      const rarity = small ? 1 : (rarityByKey.get(rarityKey(words[id]!)) ?? 1)
      nameWord[at] = id
      nameWordWeight[at] = token.base * factor * rarity
      if (token.kind === 'initial') {
        nameWordFlag[at] = initialFlag
        nameInitials[name]! += 1
        nameSmallWeight[name]! += nameWordWeight[at]!
      } else if (small) {
        nameWordFlag[at] = smallFlag
        nameSmallWeight[name]! += nameWordWeight[at]!
      } else {
        nameWeight[name]! += nameWordWeight[at]!
        postingStart[id + 1]! += 1
      }
      at++
    }
  })
  nameStart[nameCount] = at
  for (let word = 1; word < postingStart.length; word++) postingStart[word]! += postingStart[word - 1]!
  const next = postingStart.slice()
  const postingName = new Uint32Array(postingStart[words.length]!)
  const postingWeight = new Float32Array(postingName.length)
  for (let name = 0; name < nameCount; name++) {
    for (let slot = nameStart[name]!; slot < nameStart[name + 1]!; slot++) {
      if (nameWordFlag[slot] !== 0) continue
      const place = next[nameWord[slot]!]!
      next[nameWord[slot]!]! += 1
      postingName[place] = name
      postingWeight[place] = nameWordWeight[slot]!
    }
  }
  const scratch: Scratch = {
    gained: new Float32Array(nameCount),
    matched: new Float32Array(nameCount),
    covered: new Float32Array(nameCount),
    seenBy: new Uint16Array(nameCount),
    touched: new Uint32Array(nameCount),
  }
  return {
    nameCount,
    nameEntity,
    nameOrdinal,
    nameStart,
    nameWord,
    nameWordWeight,
    nameWordFlag,
    nameWeight,
    nameSmallWeight,
    nameInitials,
    postingStart,
    postingName,
    postingWeight,
    scratch,
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
