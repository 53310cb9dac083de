/** Hidden by an attacker in a body or behind one: if a service ever reads it as a request, requests were smuggled. */
export const smuggled = (id: string) =>
  `DELETE /v1/sessions/smuggled HTTP/1.1\r\nhost: a\r\nuser-agent: smuggled-${id}\r\nx-kyc-identity: forged\r\n\r\n`

/**
 * `refused`: not HTTP, or ambiguous: 400, the connection is closed, nothing reaches a service.
 * `broken`: the same, but only the bytes of the body reveal it, so an unknown path gets its usual response first.
 * `body`: an unambiguous body. `empty`: a request without a body.
 */
export type FramingForm = {
  name: string
  kind: 'refused' | 'broken' | 'body' | 'empty'
  /** Header lines that determine the framing, and the bytes after the headers. */
  lines: (payload: string) => readonly string[]
  bytes: (payload: string) => string
  version?: '1.0'
  /** For a form whose bytes end early. */
  breaksOff?: true
  /** Answered, and then the connection is closed. */
  ends?: true
}

const chunk = (payload: string) => `${payload.length.toString(16)}\r\n${payload}\r\n0\r\n\r\n`
const same = (payload: string) => payload
const nothing = () => ''
const form = (
  name: string,
  kind: FramingForm['kind'],
  lines: FramingForm['lines'],
  bytes: FramingForm['bytes'],
  more: Partial<FramingForm> = {},
): FramingForm => ({ name, kind, lines, bytes, ...more })

const lengthOf = (payload: string) => `content-length: ${payload.length}`
const chunked = 'transfer-encoding: chunked'

/** The three that were exploited. */
const exploited: FramingForm[] = [
  form('connection names content-length', 'body', (p) => ['connection: content-length', lengthOf(p)], same),
  form('connection names transfer-encoding', 'body', () => ['connection: transfer-encoding', chunked], chunk),
  form('a chunked body', 'body', () => [chunked], chunk),
]

const connection: FramingForm[] = [
  form(
    'connection names identity and length',
    'body',
    (p) => ['Connection: x-kyc-identity, Content-Length', lengthOf(p)],
    same,
  ),
  form(
    'connection names both framings',
    'body',
    (p) => ['connection: keep-alive, content-length, transfer-encoding, host', lengthOf(p)],
    same,
  ),
  form(
    'connection twice',
    'body',
    (p) => ['connection: keep-alive', 'connection: CONTENT-LENGTH', lengthOf(p)],
    same,
  ),
  form('connection names host and identity', 'empty', () => ['connection: host, x-kyc-identity'], nothing),
  form('te trailers', 'body', () => ['te: trailers', 'connection: te', chunked], chunk),
  form('upgrade to h2c', 'body', (p) => ['connection: upgrade', 'upgrade: h2c', lengthOf(p)], same, {
    ends: true,
  }),
  form('upgrade to websocket', 'body', () => ['connection: Upgrade', 'upgrade: websocket', chunked], chunk, {
    ends: true,
  }),
]

const lengths: FramingForm[] = [
  form('a body with its length', 'body', (p) => [lengthOf(p)], same),
  form('a length of 0', 'empty', () => ['content-length: 0'], nothing),
  form('no framing, a request behind', 'empty', () => [], same),
  form('the same length twice', 'refused', (p) => [lengthOf(p), lengthOf(p)], same),
  form('two lengths, the first 0', 'refused', (p) => ['content-length: 0', lengthOf(p)], same),
  form('two lengths, the last 0', 'refused', (p) => [lengthOf(p), 'content-length: 0'], same),
  form('a list of lengths', 'refused', (p) => [`content-length: ${p.length}, ${p.length}`], same),
  form('a list of differing lengths', 'refused', (p) => [`content-length: 0, ${p.length}`], same),
  form('a length with a plus', 'refused', (p) => [`content-length: +${p.length}`], same),
  form('a length with a minus', 'refused', (p) => [`content-length: -${p.length}`], same),
  form('a length in hexadecimal', 'refused', (p) => [`content-length: 0x${p.length.toString(16)}`], same),
  form('a length with leading zeros', 'refused', (p) => [`content-length: 000${p.length}`], same),
  form('a length with a fraction', 'refused', (p) => [`content-length: ${p.length}.0`], same),
  form('a length with an exponent', 'refused', () => ['content-length: 1e2'], same),
  form('an empty length', 'refused', () => ['content-length:'], same),
  form('a length beyond any number', 'refused', () => ['content-length: 99999999999999999999999'], same),
  form('a length with a blank inside', 'refused', () => ['content-length: 1 1'], same),
  form('a length in quotes', 'refused', (p) => [`content-length: "${p.length}"`], same),
  form('a blank before the colon', 'refused', (p) => [`content-length : ${p.length}`], same),
  form('a length on a folded line', 'refused', (p) => ['content-length:', ` ${p.length}`], same),
  form('an underscore for the hyphen', 'empty', (p) => [`content_length: ${p.length}`], nothing),
  form('a body shorter than its length', 'broken', (p) => [`content-length: ${p.length + 4000}`], same, {
    breaksOff: true,
  }),
]

const codings: FramingForm[] = [
  form('length and chunked', 'refused', (p) => [lengthOf(p), chunked], chunk),
  form('chunked and length', 'refused', (p) => [chunked, lengthOf(p)], chunk),
  form('chunked twice', 'refused', () => [chunked, chunked], chunk),
  form('chunked, chunked', 'refused', () => ['transfer-encoding: chunked, chunked'], chunk),
  form('chunked, identity', 'refused', () => ['transfer-encoding: chunked, identity'], chunk),
  form('identity, chunked', 'refused', () => ['transfer-encoding: identity, chunked'], chunk),
  form('gzip, chunked', 'refused', () => ['transfer-encoding: gzip, chunked'], chunk),
  form('identity', 'refused', () => ['transfer-encoding: identity'], chunk),
  form('xchunked', 'refused', () => ['transfer-encoding: xchunked'], chunk),
  form('chunked in quotes', 'refused', () => ['transfer-encoding: "chunked"'], chunk),
  form('an empty coding', 'refused', () => ['transfer-encoding:'], chunk),
  form('a vertical tab before chunked', 'refused', () => ['transfer-encoding: \x0bchunked'], chunk),
  form('a tab before chunked', 'body', () => ['transfer-encoding:\tchunked'], chunk),
  form('capitals', 'body', () => ['Transfer-Encoding: CHUNKED'], chunk),
  form('a blank before the colon of chunked', 'refused', () => ['transfer-encoding : chunked'], chunk),
  form('chunked on a folded line', 'refused', () => ['transfer-encoding:', ' chunked'], chunk),
  form(
    'a folded line that hides chunked',
    'refused',
    () => ['x-note: a', ' transfer-encoding: chunked'],
    chunk,
  ),
  form('a bare line feed before chunked', 'refused', () => ['x-note: a\ntransfer-encoding: chunked'], chunk),
  form(
    'a bare carriage return before chunked',
    'refused',
    () => ['x-note: a\rtransfer-encoding: chunked'],
    chunk,
  ),
  form('a null byte', 'refused', () => ['x-note: a\0b', chunked], chunk),
  form('HTTP/1.0 with chunked', 'refused', () => [chunked], chunk, { version: '1.0' }),
]

const zero = '0\r\n\r\n'
const chunks: FramingForm[] = [
  form(
    'a chunk extension',
    'body',
    () => [chunked],
    (p) => `${p.length.toString(16)};a=b\r\n${p}\r\n${zero}`,
  ),
  form(
    'a trailer',
    'body',
    () => [chunked],
    (p) => `${p.length.toString(16)}\r\n${p}\r\n0\r\nx-trailer: 1\r\n\r\n`,
  ),
  form(
    'framing in the trailer',
    'broken',
    () => [chunked],
    (p) => `${p.length.toString(16)}\r\n${p}\r\n0\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`,
  ),
  form(
    'a chunk size in hexadecimal with 0x',
    'broken',
    () => [chunked],
    (p) => `0x${chunk(p)}`,
  ),
  form(
    'a chunk size with a plus',
    'broken',
    () => [chunked],
    (p) => `+${chunk(p)}`,
  ),
  form(
    'a chunk size beyond any number',
    'broken',
    () => [chunked],
    (p) => `fffffffffffffffff\r\n${p}\r\n${zero}`,
  ),
  form(
    'a chunk longer than its size',
    'broken',
    () => [chunked],
    (p) => `1\r\n${p}\r\n${zero}`,
  ),
  form(
    'chunks ended by line feeds',
    'broken',
    () => [chunked],
    (p) => chunk(p).replaceAll('\r\n', '\n'),
  ),
  form(
    'a bare line feed in a chunk extension',
    'broken',
    () => [chunked],
    (p) => `${p.length.toString(16)};\n${p}\r\n${zero}`,
  ),
  form(
    'no chunk size',
    'broken',
    () => [chunked],
    (p) => `\r\n${p}\r\n${zero}`,
  ),
  form(
    'chunks that break off',
    'broken',
    () => [chunked],
    (p) => `ffff\r\n${p}`,
    { breaksOff: true },
  ),
]

export const framingForms: readonly FramingForm[] = [
  ...exploited,
  ...connection,
  ...lengths,
  ...codings,
  ...chunks,
]
