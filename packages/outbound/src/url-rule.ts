import { isIP } from 'node:net'
import { badPorts } from './bad-ports.ts'

export const maxUrlLength = 2048

export type UrlRefusal =
  | 'too_long'
  | 'unreadable_url'
  | 'scheme'
  | 'ambiguous_url'
  | 'credentials_in_url'
  | 'blocked_port'
  | 'ambiguous_host'
  | 'local_name'
  | 'unreadable_name'

export type Destination = {
  /** As parsed by the WHATWG URL standard. Requests use exactly this URL. */
  url: URL
  /** Without brackets and without a trailing dot. */
  host: string
  kind: 'address' | 'name'
}

export type UrlVerdict = { ok: true; destination: Destination } | { ok: false; reason: UrlRefusal }

/** Top-level domains that are never in the public DNS: RFC 6761, RFC 6762 appendix G, RFC 7686, RFC 8375, ICANN. */
const localTopLevels = new Set([
  'localhost', 'local', 'localdomain', 'internal', 'intranet', 'private', 'corp', 'home', 'lan', 'svc', 'onion',
  'invalid', 'alt', 'arpa',
]) // biome-ignore format: a list of words

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
// Some parsers convert or drop spaces, control characters and the backslash, and others preserve them.
const readDifferently = /[\s\\\p{Cc}]/u
// Invisible characters in a host. The two joiners are left to IDNA, because Indic and Persian names need them.
const invisible = /(?![\u200C\u200D])\p{Cf}/u

const refuse = (reason: UrlRefusal): UrlVerdict => ({ ok: false, reason })

/**
 * Parses a destination URL and rejects every form that two parsers could take for different hosts. `allowPrivate`
 * (development mode) allows `localhost` and single-label names and changes nothing else.
 */
export function readUrl(raw: string, options: { allowPrivate: boolean }): UrlVerdict {
  if (raw.length > maxUrlLength) return refuse('too_long')
  if (readDifferently.test(raw)) return refuse('ambiguous_url')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(raw)?.[1]?.toLowerCase()
  if (scheme === undefined) return refuse('unreadable_url')
  if (scheme !== 'http' && scheme !== 'https') return refuse('scheme')
  const authority = /^https?:\/\/([^/?#]+)/i.exec(raw)?.[1]
  if (authority === undefined) return refuse('ambiguous_url')
  if (authority.includes('@')) return refuse('credentials_in_url')
  if (authority.includes('%') || invisible.test(authority)) return refuse('ambiguous_host')

  const url = URL.canParse(raw) ? new URL(raw) : undefined
  if (url === undefined) return refuse('unreadable_url')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (badPorts.has(port)) return refuse('blocked_port')
  return readHost(url, authority.replace(/:\d*$/, ''), options.allowPrivate)
}

function readHost(url: URL, rawHost: string, allowPrivate: boolean): UrlVerdict {
  const bare = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) {
    // An address in octal, hexadecimal, short or full-width form, which other parsers could interpret differently.
    if (isIP(bare) === 4 && rawHost !== bare) return refuse('ambiguous_host')
    return { ok: true, destination: { url, host: bare, kind: 'address' } }
  }
  const host = bare.replace(/\.$/, '')
  const labels = host.split('.')
  if (host.length > 253 || !labels.every((part) => label.test(part))) return refuse('unreadable_name')
  const localName = labels.length === 1 || localTopLevels.has(labels.at(-1)!)
  if (localName && !allowPrivate) return refuse('local_name')
  return { ok: true, destination: { url, host, kind: 'name' } }
}
