/** The canonical form of a request target: the path that is routed and forwarded, and the client's query bytes. */
export type RequestTarget = { path: string; query: string }
/** `fault` is the message for the client; `unknown`: a well-formed path that cannot exist. */
export type RefusedTarget = { fault: string; unknown?: true }

/** RFC 3986, section 3.3, without percent-encoding: unreserved, sub-delims, ":" and "@". */
const pathForm = /^(?:\/[A-Za-z0-9\-._~!$&'()*+,;=:@%]*)+$/
/** Matches a path with nothing to decode, no empty segment and no dot segment, as in nearly every request. */
const canonicalForm = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9\-._~!$&'()*+,;=:@]+)+\/?$/
/** RFC 3986, section 3.4, and the brackets that browsers do not encode. */
const queryForm = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%[\]{}|^`"<>\\]*$/

const encodedTriplet = /%(?![0-9A-Fa-f]{2})/
/** Encoded "/", "\", "." and control characters. Some parsers decode them before they split the path, others after. */
const ambiguousTriplet = /%(?:2[EF]|5C|[01][0-9A-F]|7F)/i

/**
 * Parses a request target once, so that the gateway and the service cannot interpret it differently: an ambiguous
 * target is rejected, and any other is rewritten to its canonical form (RFC 3986, section 6.2.2).
 */
export function readTarget(raw: string): RequestTarget | RefusedTarget {
  const mark = raw.indexOf('?')
  const path = mark === -1 ? raw : raw.slice(0, mark)
  const query = mark === -1 ? '' : raw.slice(mark)
  if (query !== '' && !queryForm.test(query.slice(1))) {
    return { fault: 'query: has characters that must be percent-encoded' }
  }
  if (canonicalForm.test(path) || path === '/') return { path, query }
  if (!pathForm.test(path)) {
    return { fault: 'path: must start with a slash and have no character that must be percent-encoded' }
  }
  if (encodedTriplet.test(path)) return { fault: 'path: is not correctly percent-encoded' }
  if (ambiguousTriplet.test(path)) {
    return { fault: 'path: must not contain an encoded slash, backslash, dot or control character' }
  }
  const segments = path.slice(1).split('/')
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return { fault: 'path: must not contain dot segments' }
  }
  if (segments.slice(0, -1).includes('')) return { fault: 'path: must not contain empty segments' }
  try {
    return { path: `/${segments.map(canonicalSegment).join('/')}`, query }
  } catch {
    return { fault: 'no such path', unknown: true }
  }
}

/** Never encodes unreserved characters and always encodes all others, so that `%61` and `a` are one path. */
const canonicalSegment = (segment: string): string =>
  segment.includes('%') ? encodeURIComponent(decodeURIComponent(segment)) : segment
