import { abjadMark, foldText, hangulMark, hanMark } from './fold.ts'

/** The role of a word in a name. Determines its base weight. */
export type TokenKind =
  | 'name'
  | 'patronymic'
  /** A single letter that abbreviates a name. */
  | 'initial'
  /** al-, bin, von, de ... */
  | 'particle'
  | 'honorific'
  /** A word that is a title in one name and a name in another (Khan, Shah, Amir). */
  | 'title_or_name'
  | 'number'
  /** LLC, OOO, joint stock company ... */
  | 'legal_form'
  /** A word in the names of many organisations: group, trading, bank ... */
  | 'generic'

export type TokenScript = 'latin' | 'hangul' | 'han' | 'abjad'

export type Token = {
  /** Lower-case ASCII letters and digits. */
  text: string
  kind: TokenKind
  /** Original script of the word; `latin` stands for every alphabet that writes vowels. */
  script: TokenScript
  /** Weight before rarity is applied, 0 to 1. */
  base: number
}

/** Names of persons and names of everything else are tokenised, indexed and weighed separately. */
export type NameDomain = 'person' | 'object'

export type RawWord = {
  text: string
  script: TokenScript
  /** Whether the word was written with dots between its letters (`J.P.`, `S.A.`). The text has none. */
  dotted: boolean
}

const scriptOfMark: Readonly<Record<string, TokenScript>> = {
  [hangulMark]: 'hangul',
  [hanMark]: 'han',
  [abjadMark]: 'abjad',
}

const dottedRun = /(?<![a-z0-9])(?:[a-z]\.){2,}(?:[a-z](?![a-z0-9]))?|(?<![a-z0-9])[a-z]\.[a-z](?![a-z0-9])/g
const dotGuard = '·'

/** Folds a text to ASCII words. Apostrophes are removed; hyphens and punctuation separate words. */
export function splitWords(text: string): RawWord[] {
  const folded = foldText(text)
    .replace(/['`"]/g, '')
    .replace(/&/g, ' and ')
    .replace(dottedRun, (run) => `${run.replaceAll('.', '')}${dotGuard}`)
  const words: RawWord[] = []
  for (const piece of folded.match(/[a-z0-9한漢ا]+·?/g) ?? []) {
    const script = scriptOfMark[piece[0] ?? ''] ?? 'latin'
    const dotted = piece.endsWith(dotGuard)
    const text = piece.replace(/[한漢ا·]/g, '')
    if (text !== '') words.push({ text, script, dotted })
  }
  return words
}
