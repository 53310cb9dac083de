import countries from 'i18n-iso-countries'
import { cleanValue } from './clean.ts'
import { countrySpellings } from './country-spellings.ts'
import { splitMarkedItems } from './items.ts'

const marks = /\p{M}+/gu

/** Normalises a country name for comparison: lower case, without diacritics, punctuation and article. */
function countryKey(text: string): string {
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

/** Cached, because files with one row per detail repeat a few hundred spellings tens of thousands of times. */
const maxCachedCodes = 2_000
const codeCache = new Map<string, string | null>()

function buildIndex(): Map<string, string> {
  const index = new Map<string, string>()
  for (const [alpha2, names] of Object.entries(countries.getNames('en', { select: 'all' }))) {
    const code = countries.alpha2ToAlpha3(alpha2)
    if (code === undefined) continue
    for (const name of names) index.set(countryKey(name), code)
  }
  // Our spellings take precedence: in ISO 3166, `Congo` alone is the Republic of the Congo; the library lists it for
  // both.
  for (const [name, code] of countrySpellings()) index.set(countryKey(name), code)
  return index
}

/** Converts ISO 3166-1 alpha-2 to alpha-3. Null for an unknown code, such as the EU's `00`. */
export function alpha3OfAlpha2(code: string | null | undefined): string | null {
  const value = code?.trim().toUpperCase()
  if (!value || !/^[A-Z]{2}$/.test(value)) return null
  if (value === 'XK') return 'XKX'
  return countries.alpha2ToAlpha3(value) ?? null
}

/**
 * ISO 3166-1 alpha-3 code (or `XKX` for Kosovo) of a country or nationality as written in a list. Remarks in brackets
 * and dates (`Afghanistan (since 2009)`) are ignored. A former state is resolved when the text names its successor
 * (`USSR (now Ukraine)`). Null for unknown names.
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

/** As `countryCode`, but also accepts a numbered list when all of its items are the same country. */
export function onlyCountry(text: string | null | undefined): string | null {
  const code = countryCode(text)
  if (code !== null) return code
  const codes = countryCodes(text)
  return codes.length === 1 ? (codes[0] ?? null) : null
}

/**
 * All countries of a nationality field, without duplicates: `a) Syrian b) French`, `Russian and Ukrainian`,
 * `Lebanon/Belgium`.
 */
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
