import type { EntityType, IdentifierType, ListedBirthDate } from '../../domain/entity.ts'
import { birthDate, parseBirthDate } from '../text/birth-date.ts'

/** Subject types are `person`/`enterprise` or `P`/`E`. The XML and the CSV use swapped fields for them. */
export function euEntityType(...codes: readonly (string | undefined)[]): EntityType {
  return codes.some((code) => code === 'person' || code === 'P') ? 'person' : 'organization'
}

type EuBirth = {
  date: string | undefined
  day: string | undefined
  month: string | undefined
  year: string | undefined
  from: string | undefined
  to: string | undefined
  circa: boolean
  calendar: string | undefined
}

/** Null for a row with only a place and for dates of another calendar. A range can be open at one end. */
export function euBirthDate(birth: EuBirth): ListedBirthDate | null {
  if (birth.calendar && birth.calendar.toUpperCase() !== 'GREGORIAN') return null
  const exact = parseBirthDate(birth.date)
  if (exact !== null) return { ...exact, circa: birth.circa }
  if (birth.year)
    return birthDate(
      Number(birth.year),
      Number(birth.month || 0),
      Number((birth.month && birth.day) || 0),
      birth.circa,
    )
  const from = yearOf(birth.from)
  const to = yearOf(birth.to)
  if (from === null && to === null) return null
  if (from !== null && to !== null && from > to) return null
  return {
    kind: 'range',
    from: from === null ? null : `${from}-01-01`,
    to: to === null ? null : `${to}-12-31`,
    circa: birth.circa,
  }
}

function yearOf(text: string | undefined): number | null {
  const year = Number(text)
  return Number.isInteger(year) && year >= 1850 && year <= 2100 ? year : null
}

const identifierTypes: Readonly<Record<string, IdentifierType>> = {
  passport: 'passport',
  diplomatic_passport: 'passport',
  service_passport: 'passport',
  id: 'national_id',
  ssn: 'national_id',
  electionsid: 'national_id',
  regnumber: 'registration',
  fiscalcode: 'tax_id',
  taxid: 'tax_id',
  nit: 'tax_id',
  imo: 'imo',
  swiftbic: 'swift_bic',
}

export function euIdentifierType(code: string | undefined): IdentifierType {
  return identifierTypes[code?.toLowerCase() ?? ''] ?? 'other'
}

/** Low quality is marked only in the remark of a name. */
export function isLowQuality(remark: string | null): boolean {
  return remark !== null && /low[\s-]quality|weak/i.test(remark)
}

export const euSourceUrl =
  'https://data.europa.eu/data/datasets/consolidated-list-of-persons-groups-and-entities-subject-to-eu-financial-sanctions'
