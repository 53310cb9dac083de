import { encodeSymbols } from './edit-distance.ts'
import { classesOf } from './name-classes.ts'
import type { Word, WordEnding } from './similarity.ts'
import { spellingOf } from './spelling.ts'
import type { NameDomain, Token } from './tokens.ts'

const patronymicEnding = /(?:[oeiay]+[vu]iC|[oei]vna|iCna|[oe]vic)$/
const feminineEnding = /(?<=(?:[oe]v|[iy]n|sk|[oe]vsk))a(?:ya)?$/

/** What comparing a token needs. `frequency` is its count among the listed names, 0 for a word of a query. */
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
    stem: encodeSymbols(stem),
    symbols: encodeSymbols(spelled),
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
