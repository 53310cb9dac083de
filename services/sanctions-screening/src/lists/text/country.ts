import countries from 'i18n-iso-countries'
import { cleanValue } from './clean.ts'
import { countrySpellings } from './country-spellings.ts'
import { splitMarkedItems } from './items.ts'

const marks = /\p{M}+/gu

/** Lower case, without diacritics, punctuation and a leading article: what country names are compared by. */
export function countryKey(text: string): string {
  return text
    .normalize('NFD')
    .replace(marks, '')
    .toLowerCase()
    .replace(/[’'`´]/g, '')
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replace(/^the /, '')
    .replace(/ the$/, '')
}

const codeByName = buildIndex()

/** Files with a row for each detail ask the same few hundred spellings tens of thousands of times. */
const maxCachedCodes = 2_000
const codeCache = new Map<string, string | null>()

function buildIndex(): Map<string, string> {
  const index = new Map<string, string>()
  for (const [alpha2, names] of Object.entries(countries.getNames('en', { select: 'all' }))) {
    const code = countries.alpha2ToAlpha3(alpha2)
    if (code === undefined) continue
    for (const name of names) index.set(countryKey(name), code)
  }
  // Ours last: `Congo` alone is the Republic of the Congo (ISO 3166), which the library gives to both.
  for (const [name, code] of countrySpellings()) index.set(countryKey(name), code)
  return index
}

/** ISO 3166-1 alpha-3 of an alpha-2 code; null for none, and for the EU's `00`. */
export function alpha3OfAlpha2(code: string | null | undefined): string | null {
  const value = code?.trim().toUpperCase()
  if (!value || !/^[A-Z]{2}$/.test(value)) return null
  if (value === 'XK') return 'XKX'
  return countries.alpha2ToAlpha3(value) ?? null
}

/**
 * ISO 3166-1 alpha-3 (and `XKX`, Kosovo) of a country or nationality as a list writes it. Remarks in brackets and dates
 * (`Afghanistan (since 2009)`) are looked past;
 * a former state counts as what it now is (`USSR (now Ukraine)`), else it is unknown, as every other unknown name: null.
 */
export function countryCode(text: string | null | undefined): string | null {
  const value = cleanValue(text)
  if (value === null) return null
  const known = codeCache.get(value)
  if (known !== undefined) return known
  const code = readCountry(value)
  if (codeCache.size >= maxCachedCodes) codeCache.clear()
  codeCache.set(value, code)
  return code
}

function readCountry(value: string): string | null {
  const whole = codeByName.get(countryKey(value))
  if (whole !== undefined) return whole
  const successor = value.match(/\b(?:now|currently)\b:?\s+([^()]+)/i)?.[1]
  if (successor !== undefined) return codeByName.get(countryKey(successor)) ?? null
  if (/\bformer\b|\bex-/i.test(value)) return null
  const plain = value
    .replace(/\([^)]*\)?/g, ' ')
    .replace(/\b(?:as (?:at|of)|since|until|citizenship|national(?:ity)?|by birth)\b.*$/i, '')
    .replace(/^\s*(?:in|possibly|believed to be in)\s+/i, '')
  return codeByName.get(countryKey(plain)) ?? null
}

/** As `countryCode`, and the one country of a numbered list that names no other. */
export function onlyCountry(text: string | null | undefined): string | null {
  const code = countryCode(text)
  if (code !== null) return code
  const codes = countryCodes(text)
  return codes.length === 1 ? (codes[0] ?? null) : null
}

/** Every country in a nationality field: `a) Syrian b) French`, `Russian and Ukrainian`, `Lebanon/Belgium`. No repeats. */
export function countryCodes(text: string | null | undefined): string[] {
  const found = new Set<string>()
  for (const item of splitMarkedItems(text)) {
    const whole = countryCode(item)
    if (whole !== null) {
      found.add(whole)
      continue
    }
    for (const part of item.split(/[,;/&]|\band\b|\bor\b/i)) {
      const code = countryCode(part)
      if (code !== null) found.add(code)
    }
  }
  return [...found]
}
