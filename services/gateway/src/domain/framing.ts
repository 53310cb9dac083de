/** What a request declares about its body. */
export type Framing = { body: boolean; length: number | null }
export type RefusedFraming = { fault: string }

/**
 * Validates the framing of a request from its raw header lines (RFC 9112, sections 3.2 and 6). Node's parser already
 * rejects most of these faults. The gateway does not rely on it, because request smuggling needs two parsers that
 * interpret a request differently.
 */
export function readFraming(rawHeaders: readonly string[], httpVersion: string): Framing | RefusedFraming {
  let hosts = 0
  let length: string | undefined
  let coding: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // Only names of these lengths matter, and lower-casing every name of every request would cost more than the rest.
    if (name.length !== 4 && name.length !== 14 && name.length !== 17) continue
    const value = rawHeaders[at + 1] ?? ''
    switch (name.toLowerCase()) {
      case 'host':
        hosts++
        break
      case 'content-length':
        if (length !== undefined) return { fault: 'content-length: must be given once' }
        length = value
        break
      case 'transfer-encoding':
        if (coding !== undefined) return { fault: 'transfer-encoding: must be given once' }
        coding = value
        break
    }
  }
  if (hosts > 1) return { fault: 'host: must be given once' }
  if (coding !== undefined) {
    if (length !== undefined) return { fault: 'content-length: must not be given with transfer-encoding' }
    if (coding.toLowerCase() !== 'chunked') return { fault: 'transfer-encoding: must be chunked' }
    if (httpVersion !== '1.1') return { fault: 'transfer-encoding: needs HTTP/1.1' }
    return { body: true, length: null }
  }
  if (length === undefined) return { body: false, length: 0 }
  if (!/^(?:0|[1-9]\d{0,14})$/.test(length)) {
    return { fault: 'content-length: must be a decimal number without sign or leading zeros' }
  }
  return { body: length !== '0', length: Number(length) }
}
