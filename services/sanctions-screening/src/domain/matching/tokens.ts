import { abjadMark, foldText, hangulMark, hanMark } from './fold.ts'

/** What a word of a name is; the weight of a word follows from it. */
export type TokenKind =
  | 'name'
  | 'patronymic'
  /** One letter that stands for a name. */
  | 'initial'
  /** al-, bin, von, de ... */
  | 'particle'
  | 'honorific'
  /** A word that is a title in one name and a name in another (Khan, Shah, Amir). */
  | 'title_or_name'
  | 'number'
  /** LLC, OOO, joint stock company ... */
  | 'legal_form'
  /** Group, trading, bank ...: common to many organisations. */
  | 'generic'

export type TokenScript = 'latin' | 'hangul' | 'han' | 'abjad'

export type Token = {
  /** Lower-case ASCII letters and digits. */
  text: string
  kind: TokenKind
  /** What the word was read from; `latin` for every alphabet that writes its vowels. */
  script: TokenScript
  /** Weight in a name before rarity is known, 0 to 1. */
  base: number
}

/** Persons and everything else are tokenised, indexed and weighed apart. */
export type NameDomain = 'person' | 'object'

export type RawWord = {
  text: string
  script: TokenScript
  /** Letters between dots (`J.P.`, `S.A.`), here without the dots. */
  dotted: boolean
}

const scriptOfMark: Readonly<Record<string, TokenScript>> = {
  [hangulMark]: 'hangul',
  [hanMark]: 'han',
  [abjadMark]: 'abjad',
}

const dottedRun = /(?<![a-z0-9])(?:[a-z]\.){2,}(?:[a-z](?![a-z0-9]))?|(?<![a-z0-9])[a-z]\.[a-z](?![a-z0-9])/g
const dotGuard = '·'

/** Words of a text, folded to ASCII, apostrophes dropped, hyphens and punctuation as blanks. */
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
