/** Codes of ICAO 9303-3 section 5 for states whose ISO 3166-1 alpha-3 code differs. */
const national: Readonly<Record<string, string>> = {
  D: 'DEU',
  GBD: 'GBR',
  GBN: 'GBR',
  GBO: 'GBR',
  GBP: 'GBR',
  GBS: 'GBR',
  RKS: 'XKX',
  TMP: 'TLS',
  ZAR: 'COD',
}

/** Converts a state code of the MRZ to ISO 3166-1 alpha-3. Returns unknown codes unchanged. */
export const toAlpha3 = (code: string): string => national[code] ?? code
