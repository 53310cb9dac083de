import { encodeSymbols } from './edit-distance.ts'
import { classesOf } from './name-classes.ts'
import { spellingOf } from './spelling.ts'
import type { NameDomain, Token, TokenScript } from './tokens.ts'

/** A word with everything that comparisons need, computed once. */
export type Word = {
  text: string
  spelled: string
  /** Encoded `spelled`. */
  symbols: Uint8Array
  /** Length of `symbols` without the ending of a patronymic or of a feminine family name. */
  stemLength: number
  /** Encoded `text`. */
  letters: Uint8Array
  ending: WordEnding
  classes: readonly number[]
  script: TokenScript
  /** Number of listed entities with the word in a name. A frequent word is not a typing error of another. */
  frequency: number
}

type WordEnding = 'none' | 'patronymic' | 'feminine'

const minKnownFrequency = 3

/** Whether the word is in the class table, or several listed entities have it in a name. */
export function isKnown({ classes, frequency }: Pick<Word, 'classes' | 'frequency'>): boolean {
  return classes.length > 0 || frequency >= minKnownFrequency
}

const patronymicEnding = /(?:[oeiay]+[vu]iC|[oei]vna|iCna|[oe]vic)$/
const feminineEnding = /(?<=(?:[oe]v|[iy]n|sk|[oe]vsk))a(?:ya)?$/

/** `frequency` is the number of listed entities that have the word; 0 when it is not listed. */
export function wordOf(
  token: Pick<Token, 'text' | 'script' | 'kind'>,
  domain: NameDomain,
  frequency: number,
): Word {
  const spelled = spellingOf(token.text)
  const { stem, ending } =
    domain === 'person' ? stemOf(spelled, token.kind) : { stem: spelled, ending: 'none' as const }
  return {
    text: token.text,
    spelled,
    symbols: encodeSymbols(spelled),
    stemLength: stem.length,
    letters: encodeSymbols(token.text),
    ending,
    classes: classesOf(token.text, spelled, domain),
    script: token.script,
    frequency,
  }
}

function stemOf(spelled: string, kind: Token['kind']): { stem: string; ending: WordEnding } {
  if (kind === 'patronymic') return { stem: spelled.replace(patronymicEnding, ''), ending: 'patronymic' }
  const stem = spelled.replace(feminineEnding, '')
  return { stem, ending: stem === spelled ? 'none' : 'feminine' }
}
