import { z } from 'zod'

const rule = 'must be an http or https URL without user information, control characters or surrounding spaces'

// RFC 3986 ends the authority at `/`, `?` or `#`; the WHATWG URL standard also at `\`. An authority with `@` or `\` in
// either reading names different hosts to different parsers.
const plainAuthority = /^https?:\/\/[^/?#@\\]+(?:[/?#]|$)/i
const controlCharacter = /\p{Cc}/u

/**
 * Whether it is safe to send a person to `text` exactly as written. Browsers remove tabs, line feeds and surrounding
 * spaces from a URL and treat the part before `@` as a user name, so such a URL shows one address and opens another.
 */
const isPlainHttpUrl = (text: string): boolean =>
  plainAuthority.test(text) && !controlCharacter.test(text) && text.trim() === text && URL.canParse(text)

/** A URL from the client for a person's browser. It is stored and returned unchanged. */
export const httpUrl = z.string().max(2048).refine(isPlainHttpUrl, rule).meta({ format: 'uri' })
