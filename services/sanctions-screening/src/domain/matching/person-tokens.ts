import words from './data/person-words.json' with { type: 'json' }
import { type RawWord, splitWords, type Token, type TokenKind } from './tokens.ts'

const particles = new Set(words.particles)
const honorifics = new Set(words.honorifics)
const titlesThatAreNames = new Set(words.names_too)
const patronymic = new RegExp(`.{2,}(?:${words.patronymic_endings.join('|')})$`)

const baseWeight: Readonly<Record<TokenKind, number>> = {
  name: 1,
  patronymic: 0.6,
  initial: 0.5,
  particle: 0.06,
  honorific: 0.12,
  title_or_name: 0.4,
  number: 0.3,
  legal_form: 0.1,
  generic: 0.4,
}

/**
 * The tokens of a person's name, in text order. Arabic compounds are normalised, so that `Abdulrahman`, `Abd al-Rahman`
 * and `Abdur Rahman` have the same name tokens.
 */
export function personTokens(text: string): Token[] {
  const tokens = splitWords(text).flatMap(tokensOfWord)
  return mergeAbdAllah(promoteLoneParticles(tokens))
}

/**
 * Caches the tokens of a word, because words recur in thousands of names. Bounded, because clients choose the
 * queries.
 */
const tokenCache = new Map<string, readonly Token[]>()
const maxCachedWords = 50_000

function tokensOfWord(word: RawWord): readonly Token[] {
  const key = `${word.script}${word.dotted ? '.' : ' '}${word.text}`
  const known = tokenCache.get(key)
  if (known !== undefined) return known
  const tokens = expandDotted(word).flatMap(splitCompound).map(toToken)
  if (tokenCache.size >= maxCachedWords) tokenCache.clear()
  tokenCache.set(key, tokens)
  return tokens
}

/** `J.P.` is two initials. */
function expandDotted(word: RawWord): RawWord[] {
  if (!word.dotted || word.text.length > 4) return [word]
  return [...word.text].map((letter) => ({ ...word, text: letter, dotted: false }))
}

const servantOf =
  /^abd(?:[aeiou]?l|[aeu]r(?=r)|[aeu]s(?=s)|[aeu]n(?=n)|[aeu]z(?=z)|[aeu]t(?=t)|[aeu]d(?=d)|[aeu]r|ou|i)?(.{3,})$/
const servantAlone = /^(?:abd|bd)(?:[aeu]l|[aeu]r|[aeu]s|[aeu]n|[aeu]z|il)?$/
const servantOfGod = /^abd[aeuo]?ll?(?:ah?|h)i?$/
const fatherOf = /^ab(?:u|ou|oo)(?!l)(.{4,})$/
const ofTheFaith = /^(.{3,}?)(?:[aeiou]l|[aeiou])?d{1,2}(?:[iy]|ee|ey|ie)n[e]?$/
const ofGod = /^(.{3,}?)(?:[aeuoi])ll?ah?$/
const arabicArticle = /^al(?=[^l].{2,}$)/

/**
 * Splits the attached parts of Arabic names into separate words: abd (servant of), abu (father of), -din (of the
 * faith), -ullah (of God).
 */
function splitCompound(word: RawWord): RawWord[] {
  const { text, script } = word
  const part = (piece: string): RawWord => ({ text: piece, script, dotted: false })
  if (script === 'hangul' || script === 'han') return [word]
  if (text === 'allh') return [part('allah')]
  if (servantOfGod.test(text)) return [part('abdullah')]
  if (servantAlone.test(text)) return [part('abdul')]
  const servant = /^abd[^aeiou]|^abd[aeiou][lrsnztd]/.test(text) ? servantOf.exec(text) : null
  if (servant?.[1] !== undefined) return [part('abdul'), ...splitCompound(part(servant[1]))]
  const father = fatherOf.exec(text)
  if (father?.[1] !== undefined) return [part('abu'), part(father[1])]
  if (script === 'abjad' && arabicArticle.test(text)) return [part('al'), part(text.slice(2))]
  const god = ofGod.exec(text)
  if (god?.[1] !== undefined && text.length >= 7) return [part(god[1]), part('allah')]
  const faith = ofTheFaith.exec(text)
  if (faith?.[1] !== undefined && text.length >= 7) return [part(faith[1]), part('din')]
  return [word]
}

function toToken(word: RawWord): Token {
  const kind = kindOf(word)
  return { text: word.text, kind, script: word.script, base: baseWeightOf(word.text, kind) }
}

function kindOf({ text, script }: RawWord): TokenKind {
  if (script === 'hangul' || script === 'han') return 'name'
  if (/^\d+$/.test(text)) return 'number'
  if (text.length === 1) return 'initial'
  if (titlesThatAreNames.has(text)) return 'title_or_name'
  if (particles.has(text)) return 'particle'
  if (honorifics.has(text)) return 'honorific'
  return patronymic.test(text) ? 'patronymic' : 'name'
}

/** Parts of compounds are weak evidence on their own. */
const compoundPartWeights: Readonly<Record<string, number>> = {
  abdul: 0.35,
  abu: 0.3,
  abou: 0.3,
  aboo: 0.3,
  umm: 0.3,
  um: 0.3,
  din: 0.25,
  allah: 0.25,
  ullah: 0.25,
}

function baseWeightOf(text: string, kind: TokenKind): number {
  return compoundPartWeights[text] ?? baseWeight[kind]
}

/** When a name consists only of minor words or initials (`Ben`, `Sheikh Haji`, `K.`), they are treated as names. */
function promoteLoneParticles(tokens: Token[]): Token[] {
  if (tokens.some(({ kind }) => kind === 'name' || kind === 'patronymic' || kind === 'title_or_name'))
    return tokens
  return tokens.map((token) =>
    token.kind === 'number' ? token : { ...token, kind: 'name' as const, base: 1 },
  )
}

/** `Abd Allah` written as two words, in any position, is Abdullah. */
function mergeAbdAllah(tokens: Token[]): Token[] {
  const abd = tokens.findIndex((token) => token.text === 'abdul')
  const god = tokens.findIndex((token) => token.text === 'allah' || token.text === 'ullah')
  if (abd < 0 || god < 0) return tokens
  const remaining = tokens.filter((_, i) => i !== god)
  const merged = tokens[abd]
  if (merged === undefined) return tokens
  return remaining.map((token) => (token === merged ? { ...token, text: 'abdullah', base: 1 } : token))
}
