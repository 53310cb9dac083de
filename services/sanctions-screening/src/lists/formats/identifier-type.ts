import type { IdentifierType } from '../../domain/entity.ts'

// The first that fits wins; words as OFAC, the EU and the UN write them.
const rules: readonly (readonly [RegExp, IdentifierType])[] = [
  [/\bpassport\b|pasaporte|passeport/i, 'passport'],
  [/swift|\bbic\b/i, 'swift_bic'],
  [/digital currency/i, 'crypto_address'],
  [/\bimo\b|vessel registration/i, 'imo'],
  [/\bmmsi\b|maritime mobile/i, 'mmsi'],
  [/call sign/i, 'call_sign'],
  [/tail number/i, 'aircraft_tail'],
  [/serial number|construction number|\bmsn\b/i, 'aircraft_serial'],
  [/\btax\b|fiscal|\bnit\b|\brfc\b|\bruc\b|v\.?a\.?t\.?\b|\bcuit\b|\brtn\b|taxid/i, 'tax_id'],
  [
    /national id|identification card|identity card|cedula|c\.u\.r\.p|curp|personal id|\bssn\b|birth certificate|residency|tazkira|national foreign id|citizen|\bd\.n\.i|national identification|^id$/i,
    'national_id',
  ],
  [
    /registr|regnumber|commercial|company number|matricula|folio mercantil|chamber of commerce|unified social|trade license|business|legal entity|enterprise number|c\.r\. no|public security/i,
    'registration',
  ],
]

/** The identifier's kind from the words a list describes it with. */
export function identifierType(words: string): IdentifierType {
  for (const [pattern, type] of rules) if (pattern.test(words)) return type
  return 'other'
}

const imoNumber = /\b(?:IMO\s*(?:number|no\.?)?\s*[:#)]*\s*)(\d{7})\b/i

/** A ship's seven-digit IMO number in running text; null when there is none. */
export function imoNumberIn(text: string | null | undefined): string | null {
  return text?.match(imoNumber)?.[1] ?? null
}
