import numbers from './data/number-words.json' with { type: 'json' }
import words from './data/organization-words.json' with { type: 'json' }
import { type RawWord, splitWords, type Token } from './tokens.ts'

const legalForms = new Set(words.legal_forms)
const connectives = new Set(words.connectives)
const numberWords: Readonly<Record<string, string>> = numbers
const genericWeights = new Map<string, number>()
for (const [weight, members] of Object.entries(words.generic)) {
  for (const word of members) genericWeights.set(word, Number(weight))
}
/** Phrases by their longest word, so that most names need only one lookup per word. */
const legalPhrases = new Map<string, { words: string[]; form: string[] }[]>()
for (const [phrase, form] of Object.entries(words.legal_phrases)) {
  const parts = phrase.split(' ')
  const [longest = ''] = [...parts].sort((a, b) => b.length - a.length)
  legalPhrases.set(longest, [...(legalPhrases.get(longest) ?? []), { words: parts, form: form.split(' ') }])
}

/**
 * The tokens of the name of an organisation, vessel or aircraft, in text order. A legal form becomes its
 * abbreviation.
 */
export function objectTokens(text: string): Token[] {
  const tokens = shortenLegalPhrases(splitWords(text)).map(toToken)
  if (tokens.some((token) => token.kind === 'name' || token.kind === 'number')) return tokens
  return tokens.map((token) =>
    token.kind === 'generic' ? { ...token, kind: 'name' as const, base: 1 } : token,
  )
}

/** A phrase matches when all of its words occur, in any order. Longer phrases are replaced first. */
function shortenLegalPhrases(input: RawWord[]): RawWord[] {
  const possible = input.flatMap(({ text }) => legalPhrases.get(text) ?? [])
  if (possible.length === 0) return input
  let list = input
  for (const { words: phrase, form } of possible.sort((a, b) => b.words.length - a.words.length)) {
    if (!phrase.every((word) => list.some(({ text }) => text === word))) continue
    const rest = [...list]
    let last = 0
    for (const word of phrase) {
      last = rest.findIndex(({ text }) => text === word)
      rest.splice(last, 1)
    }
    rest.splice(last, 0, ...form.map((text): RawWord => ({ text, script: 'latin', dotted: false })))
    list = rest
  }
  return list
}

function toToken({ text: word, script }: RawWord): Token {
  const text = numberWords[word] ?? word
  if (/^\d+$/.test(text)) return { text, kind: 'number', script, base: 0.45 }
  if (legalForms.has(text)) return { text, kind: 'legal_form', script, base: 0.06 }
  if (connectives.has(text)) return { text, kind: 'particle', script, base: 0.05 }
  if (text.length === 1) return { text, kind: 'name', script, base: 0.5 }
  const generic = genericWeights.get(text)
  if (generic !== undefined) return { text, kind: 'generic', script, base: generic }
  return { text, kind: 'name', script, base: 1 }
}
