/** Codes of ICAO 9303-3 section 5 that stand for a state with another ISO 3166-1 alpha-3 code. */
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

/** The ISO 3166-1 alpha-3 code of a state as a machine-readable zone spells it. Unknown codes stay as they are. */
export const toAlpha3 = (code: string): string => national[code] ?? code
