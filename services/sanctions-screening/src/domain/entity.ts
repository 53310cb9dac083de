/**
 * The normal form every published sanctions list is read into: what the matcher indexes, what the store keeps,
 * and what a match quotes. Field names are those of the wire, because a stored entity is quoted as it is.
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

/** What the publisher says of a name. A weak alias is one the publisher itself calls low quality. */
export type NameQuality = 'primary' | 'alias' | 'weak_alias'

/** The roles the publisher gave; parts that it did not separate are absent, and nothing is guessed here. */
export type NameParts = {
  /** Given name or names. */
  first?: string
  middle?: string
  /** Family name. */
  last?: string
}

export type ListedName = {
  /** As a person would write it (given names before the family name), blanks collapsed, never empty. */
  full: string
  parts?: NameParts
  quality: NameQuality
  /** ISO 15924 code of the text's script; absent for Latin. */
  script?: string
}

/**
 * What a list says of a birth date. Alternatives are separate items. A range is closed at both ends unless one
 * is null (open). `circa` marks an approximation by the publisher. Dates are ISO 8601 `YYYY-MM-DD`.
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
  /** ISO 3166-1 alpha-3, null when the list names none that is known. */
  country: string | null
}

export type ListedIdentifier = {
  type: IdentifierType
  /** As published, blanks collapsed. */
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
  /** The list's own identifier: OFAC's number, `QDi.331`, `EU.27.28`, `RUS0003`. Unique within a list. */
  id: string
  type: EntityType
  /** At least one; the first is the primary name. */
  names: ListedName[]
  dates_of_birth: ListedBirthDate[]
  /** ISO 3166-1 alpha-3, nationalities and citizenships, no repeats. */
  nationalities: string[]
  places: ListedPlace[]
  identifiers: ListedIdentifier[]
  /** Sanctions programmes or regimes, as published. */
  programs: string[]
  /** `YYYY-MM-DD`; null where the list does not say. */
  listed_on: string | null
  remarks: string | null
  /** A page of the publisher where a reader finds the entry or its list. */
  source_url: string | null
}

export type SanctionsList = {
  id: ListId
  /** Day of publication, where it is known, and a hash of the content: `2026-02-27.3f9a01c2d4e5`. */
  version: string
  /** RFC 3339 UTC. */
  fetched_at: string
  /** RFC 3339 UTC, or null where the file does not say. */
  published_at: string | null
  entities: ListedEntity[]
}

/** First and last day (ISO 8601) that a listed birth date allows; null where the range is open. */
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

/** As the interface quotes it: `1961-04-12`, `1961-04`, `1961`, `1960/1962` (open: `1960/..`), `circa ` before an approximation. */
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

/** A range of whole years reads `1960/1962`. */
function shortenRangeEnd(date: string | null, yearEdge: string): string {
  if (date === null) return '..'
  return date.endsWith(yearEdge) ? date.slice(0, 4) : date
}

function lastDayOfMonth(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return String(new Date(Date.UTC(year ?? 0, number ?? 0, 0)).getUTCDate()).padStart(2, '0')
}
