import { z } from 'zod'

const rule = 'must be an http or https URL without user information, control characters or surrounding spaces'

// RFC 3986 ends the authority at `/`, `?` or `#`, the WHATWG standard at `\` as well. An authority that has `@` or `\`
// in either reading names different hosts to different parsers.
const plainAuthority = /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i
const controlCharacter = /\p{Cc}/u

/**
 * Whether a person may be sent to `text` as it is written. Browsers remove tabs, line feeds and surrounding spaces from a
 * URL and take what precedes `@` as a user name, so such a URL shows one address and opens another.
 */
const isPlainHttpUrl = (text: string): boolean =>
  plainAuthority.test(text) && !controlCharacter.test(text) && text.trim() === text && URL.canParse(text)

/** A URL that a client gives for a person's browser. Its characters are stored and returned unchanged. */
export const httpUrl = z.string().max(2048).refine(isPlainHttpUrl, rule).meta({ format: 'uri' })
