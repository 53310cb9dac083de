import type { IdentifierType } from '../../domain/entity.ts'

// The first match wins. The terms are those of OFAC, the EU and the UN.
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

/** Determines the type of an identifier from its description in a list. */
export function identifierType(words: string): IdentifierType {
  for (const [pattern, type] of rules) if (pattern.test(words)) return type
  return 'other'
}

const imoNumber = /\b(?:IMO\s*(?:number|no\.?)?\s*[:#)]*\s*)(\d{7})\b/i

/** Finds the seven-digit IMO number of a ship in text; null when there is none. */
export function imoNumberIn(text: string | null | undefined): string | null {
  return text?.match(imoNumber)?.[1] ?? null
}
