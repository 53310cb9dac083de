import type { ListedEntity, ListId, SanctionsList } from '../entity.ts'
import { maxMinorWeight, type ParsedName, type ParsedNames, parseNames } from './parse-names.ts'
import type { QueryToken } from './query-token.ts'
import { isClassKey, rarityKey, rarityOf } from './rarity.ts'
import type { NameDomain } from './tokens.ts'
import { Vocabulary } from './vocabulary.ts'
import type { Word } from './word.ts'

/**
 * The index of one domain (persons, or everything else) in typed arrays. The words of name `n` are in the slots
 * nameStart[n] to nameStart[n + 1].
 */
export type DomainIndex = {
  domain: NameDomain
  vocabulary: Vocabulary
  nameCount: number
  nameEntity: Uint32Array
  nameOrdinal: Uint16Array
  nameStart: Uint32Array
  nameWord: Uint32Array
  nameWordWeight: Float32Array
  /** `initialFlag`, `minorFlag`, or 0 for a full name word. */
  nameWordFlag: Uint8Array
  /** Total weight of a name's words, without minor words and initials. */
  nameWeight: Float32Array
  /** Total weight of a name's minor words and initials. */
  nameMinorWeight: Float32Array
  nameInitials: Uint8Array
  /** Posting lists: word `w` occurs in the names at postingStart[w] to postingStart[w + 1], with its weight in each. */
  postingStart: Uint32Array
  postingName: Uint32Array
  postingWeight: Float32Array
  /** Rarity by class or spelling key, used for query words that occur in no list. */
  rarityByKey: Map<string, number>
  /** Tokens of recent queries with their lookup results. */
  tokenCache: Map<string, QueryToken>
  scratch: Scratch
}

/**
 * Per-name accumulators of one query, cleared after it. Safe to share because queries run one at a time on one
 * thread.
 */
type Scratch = {
  weightedSum: Float32Array
  matchedWeight: Float32Array
  coveredQueryWeight: Float32Array
  /** Weight and similarity of what the current query token matched in each name. */
  tokenMatchedWeight: Float32Array
  tokenSimilarity: Float32Array
  /** Index + 1 of the last query token that matched the name; 0 for none. */
  lastToken: Uint16Array
  touchedNames: Uint32Array
}

export type ScreeningIndex = {
  entities: readonly ListedEntity[]
  versions: ReadonlyMap<ListId, string>
  person: DomainIndex
  object: DomainIndex
}

export const initialFlag = 1
export const minorFlag = 2

/** Builds the index of every name without yielding: about 2 s for 40,000 names. */
export function buildIndex(lists: readonly SanctionsList[]): ScreeningIndex {
  const steps = buildSteps(lists)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** As `buildIndex`, but yields to the event loop between steps of some tens of milliseconds. */
export async function buildIndexInSteps(lists: readonly SanctionsList[]): Promise<ScreeningIndex> {
  const steps = buildSteps(lists)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await new Promise<void>((resume) => setImmediate(resume))
  }
}

function* buildSteps(lists: readonly SanctionsList[]): Generator<void, ScreeningIndex> {
  const entities = lists.flatMap((list) => list.entities)
  return {
    entities,
    versions: new Map(lists.map((list) => [list.id, list.version])),
    person: yield* buildDomain(entities, 'person'),
    object: yield* buildDomain(entities, 'object'),
  }
}

function* buildDomain(entities: readonly ListedEntity[], domain: NameDomain): Generator<void, DomainIndex> {
  const parsed = yield* parseNames(entities, domain)
  const frequency = countBearers(parsed)
  const order = [...parsed.words.keys()].sort((a, b) => byLength(parsed.words[a]!, parsed.words[b]!))
  const idByWordIndex = new Uint32Array(order.length)
  order.forEach((wordIndex, id) => {
    idByWordIndex[wordIndex] = id
  })
  const words = order.map(
    (wordIndex): Word => ({ ...parsed.words[wordIndex]!, frequency: frequency.byWordIndex[wordIndex]! }),
  )
  yield
  const rarityByKey = new Map<string, number>()
  for (const [key, count] of frequency.byKey) {
    rarityByKey.set(key, rarityOf(count, frequency.bearers, isClassKey(key)))
  }
  return {
    domain,
    vocabulary: yield* Vocabulary.build(words, domain),
    rarityByKey,
    tokenCache: new Map(),
    ...buildPostings(parsed.names, idByWordIndex, words, rarityByKey),
  }
}

function byLength(a: Word, b: Word): number {
  return a.symbols.length - b.symbols.length || compareText(a.text, b.text) || compareText(a.script, b.script)
}

/** Counts the entities that have a word in a name, by word and by rarity key (which groups the variants of a word). */
function countBearers({ names, words }: ParsedNames) {
  const keys = words.map(rarityKey)
  const keyNumbers = new Map<string, number>()
  for (const key of keys) if (!keyNumbers.has(key)) keyNumbers.set(key, keyNumbers.size)
  const keyNumberByWord = Uint32Array.from(keys, (key) => keyNumbers.get(key)!)
  const byWordIndex = new Uint32Array(words.length)
  const byKeyNumber = new Uint32Array(keyNumbers.size)
  const lastEntityByWord = new Int32Array(words.length).fill(-1)
  const lastEntityByKey = new Int32Array(keyNumbers.size).fill(-1)
  let bearers = 0
  let lastEntity = -1
  for (const { entity, occurrences } of names) {
    if (entity !== lastEntity) bearers++
    lastEntity = entity
    for (const { wordIndex } of occurrences) {
      if (lastEntityByWord[wordIndex] !== entity) byWordIndex[wordIndex]! += 1
      lastEntityByWord[wordIndex] = entity
      const key = keyNumberByWord[wordIndex]!
      if (lastEntityByKey[key] !== entity) byKeyNumber[key]! += 1
      lastEntityByKey[key] = entity
    }
  }
  const byKey = new Map([...keyNumbers].map(([key, number]) => [key, byKeyNumber[number]!]))
  return { byWordIndex, byKey, bearers }
}

function buildPostings(
  parsed: readonly ParsedName[],
  idByWordIndex: Uint32Array,
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
  const nameMinorWeight = new Float32Array(nameCount)
  const nameInitials = new Uint8Array(nameCount)
  const postingStart = new Uint32Array(words.length + 1)
  let i = 0
  parsed.forEach(({ occurrences }, name) => {
    nameStart[name] = i
    for (const { wordIndex, token, roleWeight } of occurrences) {
      const id = idByWordIndex[wordIndex]!
      const minor = token.base <= maxMinorWeight
      const rarity = minor ? 1 : (rarityByKey.get(rarityKey(words[id]!)) ?? 1)
      nameWord[i] = id
      nameWordWeight[i] = token.base * roleWeight * rarity
      if (token.kind === 'initial') {
        nameWordFlag[i] = initialFlag
        nameInitials[name]! += 1
        nameMinorWeight[name]! += nameWordWeight[i]!
      } else if (minor) {
        nameWordFlag[i] = minorFlag
        nameMinorWeight[name]! += nameWordWeight[i]!
      } else {
        nameWeight[name]! += nameWordWeight[i]!
        postingStart[id + 1]! += 1
      }
      i++
    }
  })
  nameStart[nameCount] = i
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
    weightedSum: new Float32Array(nameCount),
    matchedWeight: new Float32Array(nameCount),
    coveredQueryWeight: new Float32Array(nameCount),
    tokenMatchedWeight: new Float32Array(nameCount),
    tokenSimilarity: new Float32Array(nameCount),
    lastToken: new Uint16Array(nameCount),
    touchedNames: new Uint32Array(nameCount),
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
    nameMinorWeight,
    nameInitials,
    postingStart,
    postingName,
    postingWeight,
    scratch,
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
