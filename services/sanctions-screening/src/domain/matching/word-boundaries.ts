import type { Token } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

const minJoinedLength = 5
const minPartLength = 3
const minSplitLength = 7
const maxVariants = 2
/** Longer names are not searched for joins of three words. */
const maxTokensForThreeWayJoin = 6

/**
 * Variants of the tokens with two of them joined into a listed word (`Patr ushev`), or three when two are unknown.
 * Tokens are joined in any order, because the tokens of a query are sorted.
 */
export function joinedTokens(tokens: readonly Token[], vocabulary: Vocabulary): Token[][] {
  const variants: Token[][] = []
  const joinable = tokens.filter(isWord)
  const tryJoin = (parts: readonly Token[]) => {
    const text = parts.map((part) => part.text).join('')
    if (variants.length >= maxVariants || text.length < minJoinedLength) return
    const joined: Token = { text, kind: 'name', script: 'latin', base: 1 }
    if (vocabulary.idOf(joined) < 0) return
    variants.push(sortedByText([...tokens.filter((token) => !parts.includes(token)), joined]))
  }
  for (const first of joinable) {
    for (const second of joinable) if (second !== first) tryJoin([first, second])
  }
  const unknown = joinable.filter((token) => vocabulary.frequencyOf(token) === 0)
  if (unknown.length < 2 || joinable.length > maxTokensForThreeWayJoin) return variants
  for (const first of joinable) {
    for (const second of joinable) {
      for (const third of joinable) {
        if (first !== second && second !== third && first !== third) tryJoin([first, second, third])
      }
    }
  }
  return variants
}

/** Variants of the tokens with a long, unknown one split into two listed words (`AlisherUsmanov`). */
export function splitTokens(tokens: readonly Token[], vocabulary: Vocabulary): Token[][] {
  const variants: Token[][] = []
  for (const token of tokens) {
    if (!isWord(token) || token.text.length < minSplitLength || vocabulary.frequencyOf(token) > 0) continue
    for (let cut = minPartLength; cut <= token.text.length - minPartLength; cut++) {
      const parts = [token.text.slice(0, cut), token.text.slice(cut)].map(
        (text): Token => ({ ...token, text, kind: 'name', base: 1 }),
      )
      if (variants.length >= maxVariants || parts.some((part) => vocabulary.idOf(part) < 0)) continue
      variants.push(sortedByText([...tokens.filter((other) => other !== token), ...parts]))
    }
  }
  return variants
}

function isWord({ kind, script }: Token): boolean {
  return script === 'latin' && (kind === 'name' || kind === 'patronymic' || kind === 'generic')
}

function sortedByText(tokens: Token[]): Token[] {
  return tokens.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
}
