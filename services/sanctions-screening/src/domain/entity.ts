/**
 * The normal form that every published sanctions list is parsed into. The matcher indexes it, the store saves it, and a
 * match quotes it, so its field names are those of the API.
 */

/** Known list ids. `us_ofac_cons` is OFAC's non-SDN consolidated list. */
export const listIds = [
  'us_ofac_sdn',
  'us_ofac_cons',
  'un_sc',
  'eu_fsf',
  'uk_sanctions',
  'ch_seco',
  'ca_sema',
  'au_dfat',
] as const
export type ListId = (typeof listIds)[number]

export type EntityType = 'person' | 'organization' | 'vessel' | 'aircraft'

/** How the publisher classifies a name. A weak alias is one that the publisher marks as low quality. */
export type NameQuality = 'primary' | 'alias' | 'weak_alias'

/** The name parts that the publisher separated. Parts are never guessed from the full name. */
export type NameParts = {
  /** Given name or names. */
  first?: string
  middle?: string
  /** Family name. */
  last?: string
}

export type ListedName = {
  /** Given names before the family name, whitespace collapsed, never empty. */
  full: string
  parts?: NameParts
  quality: NameQuality
  /** ISO 15924 code of the script; absent for Latin. */
  script?: string
}

/**
 * A listed birth date; alternatives are separate items. A range includes both ends; null is an open end. `circa`
 * marks a date that the publisher calls approximate. Dates are ISO 8601 `YYYY-MM-DD`.
 */
export type ListedBirthDate =
  | { kind: 'day'; date: string; circa: boolean }
  /** `YYYY-MM` */
  | { kind: 'month'; month: string; circa: boolean }
  | { kind: 'year'; year: number; circa: boolean }
  | { kind: 'range'; from: string | null; to: string | null; circa: boolean }

export type ListedPlace = {
  kind: 'birth' | 'address'
  /** As published, one line. */
  text: string
  /** ISO 3166-1 alpha-3; null when the list names no recognised country. */
  country: string | null
}

export type ListedIdentifier = {
  type: IdentifierType
  /** As published, whitespace collapsed. */
  value: string
  /** Issuing country, ISO 3166-1 alpha-3. */
  country: string | null
}

export type IdentifierType =
  | 'passport'
  | 'national_id'
  | 'tax_id'
  | 'registration'
  | 'imo'
  | 'mmsi'
  | 'call_sign'
  | 'aircraft_serial'
  | 'aircraft_tail'
  | 'swift_bic'
  | 'crypto_address'
  | 'other'

export type ListedEntity = {
  list: ListId
  /** The list's own identifier, such as OFAC's number, `QDi.331`, `EU.27.28` or `RUS0003`. Unique within a list. */
  id: string
  type: EntityType
  /** At least one; the first is the primary name. */
  names: ListedName[]
  dates_of_birth: ListedBirthDate[]
  /** Nationalities and citizenships, ISO 3166-1 alpha-3, without duplicates. */
  nationalities: string[]
  places: ListedPlace[]
  identifiers: ListedIdentifier[]
  /** Sanctions programmes or regimes, as published. */
  programs: string[]
  /** `YYYY-MM-DD`; null when the list does not state it. */
  listed_on: string | null
  remarks: string | null
  /** The publisher's page for the entry or its list. */
  source_url: string | null
}

export type SanctionsList = {
  id: ListId
  /** Publication date, when known, and a hash of the content: `2026-02-27.3f9a01c2d4e5`. */
  version: string
  /** RFC 3339 UTC. */
  fetched_at: string
  /** RFC 3339 UTC; null when the file does not state it. */
  published_at: string | null
  entities: ListedEntity[]
}

/** The first and last possible day (ISO 8601) of a listed birth date; null for an open end. */
export function birthDateBounds(birth: ListedBirthDate): { from: string | null; to: string | null } {
  switch (birth.kind) {
    case 'day':
      return { from: birth.date, to: birth.date }
    case 'month':
      return { from: `${birth.month}-01`, to: `${birth.month}-${lastDayOfMonth(birth.month)}` }
    case 'year': {
      const year = String(birth.year).padStart(4, '0')
      return { from: `${year}-01-01`, to: `${year}-12-31` }
    }
    case 'range':
      return { from: birth.from, to: birth.to }
  }
}

/** The API format: `1961-04-12`, `1961-04`, `1961`, `1960/1962`, `1960/..` (open end), `circa 1961` (approximate). */
export function formatBirthDate(birth: ListedBirthDate): string {
  const text = birthDateText(birth)
  return birth.circa ? `circa ${text}` : text
}

function birthDateText(birth: ListedBirthDate): string {
  switch (birth.kind) {
    case 'day':
      return birth.date
    case 'month':
      return birth.month
    case 'year':
      return String(birth.year)
    case 'range':
      return `${shortenRangeEnd(birth.from, '-01-01')}/${shortenRangeEnd(birth.to, '-12-31')}`
  }
}

/** A range of complete years is written `1960/1962`. */
function shortenRangeEnd(date: string | null, yearEdge: string): string {
  if (date === null) return '..'
  return date.endsWith(yearEdge) ? date.slice(0, 4) : date
}

function lastDayOfMonth(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return String(new Date(Date.UTC(year ?? 0, number ?? 0, 0)).getUTCDate()).padStart(2, '0')
}
