import table from './data/name-classes.json' with { type: 'json' }
import words from './data/organization-words.json' with { type: 'json' }
import { spellingOf } from './spelling.ts'
import type { NameDomain } from './tokens.ts'

/**
 * Classes of words that stand for one name: transliterations (Muhammad, Mehmet), forms of other languages (John,
 * Juan), nicknames (Robert, Bob). A word may be in several classes.
 */
export type ClassRelation = 'spelling' | 'cognate' | 'nickname'

type ClassTable = {
  /** Class numbers of a word; negative numbers never occur. */
  classesByWord: Map<string, readonly number[]>
  /** The same by spelling key, for spellings that no table lists. */
  classesBySpelling: Map<string, readonly number[]>
  relationByClass: readonly ClassRelation[]
}

export const noClasses: readonly number[] = []

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

/** Class numbers of a word, by its letters, else by its spelling key. */
export function classesOf(text: string, spelled: string, domain: NameDomain): readonly number[] {
  const { classesByWord, classesBySpelling } = tables[domain]
  return classesByWord.get(text) ?? classesBySpelling.get(spelled) ?? noClasses
}

/** The closest relation that two words have through their classes, null when they share none. */
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
