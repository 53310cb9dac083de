import table from './data/name-classes.json' with { type: 'json' }
import words from './data/organization-words.json' with { type: 'json' }
import { spellingOf } from './spelling.ts'
import type { NameDomain } from './tokens.ts'

/**
 * Why the words of a class stand for the same name: transliterations (Muhammad, Mehmet), cognates in other languages
 * (John, Juan) or nicknames (Robert, Bob). A word can be in several classes.
 */
export type ClassRelation = 'spelling' | 'cognate' | 'nickname'

type ClassTable = {
  /** Class ids by word. */
  classesByWord: Map<string, readonly number[]>
  /** Class ids by spelling key, for spellings that the table does not contain. */
  classesBySpelling: Map<string, readonly number[]>
  relationByClass: readonly ClassRelation[]
}

const noClasses: readonly number[] = []

const tables: Readonly<Record<NameDomain, ClassTable>> = {
  person: buildTable([
    ['spelling', table.spellings],
    ['cognate', table.cognates],
    ['nickname', table.nicknames],
  ]),
  object: buildTable([['spelling', words.synonyms.map((group) => group.join(' '))]]),
}

function buildTable(groups: readonly (readonly [ClassRelation, readonly string[]])[]): ClassTable {
  const classesByWord = new Map<string, number[]>()
  const relationByClass: ClassRelation[] = []
  for (const [kind, lines] of groups) {
    for (const line of lines) {
      const id = relationByClass.push(kind) - 1
      for (const word of new Set(line.split(' ')))
        classesByWord.set(word, [...(classesByWord.get(word) ?? []), id])
    }
  }
  const classesBySpelling = new Map<string, readonly number[]>()
  for (const [word, classes] of classesByWord) {
    const key = spellingOf(word)
    if (key.length < 4) continue
    const spellings = classes.filter((id) => relationByClass[id] === 'spelling')
    if (spellings.length === 0) continue
    classesBySpelling.set(key, [...new Set([...(classesBySpelling.get(key) ?? []), ...spellings])])
  }
  return { classesByWord, classesBySpelling, relationByClass }
}

/** Class ids of a word, looked up by its text and, failing that, by its spelling key. */
export function classesOf(text: string, spelled: string, domain: NameDomain): readonly number[] {
  const { classesByWord, classesBySpelling } = tables[domain]
  return classesByWord.get(text) ?? classesBySpelling.get(spelled) ?? noClasses
}

/** The closest relation between two words that share a class; null when they share none. */
export function relationOf(
  a: readonly number[],
  b: readonly number[],
  domain: NameDomain,
): ClassRelation | null {
  let best: ClassRelation | null = null
  for (const id of a) {
    if (!b.includes(id)) continue
    const relation = tables[domain].relationByClass[id]
    if (relation === 'spelling') return relation
    best = relation ?? best
  }
  return best
}
