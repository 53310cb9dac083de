import { compareNameInitial } from './compare-name-initial.ts'

export type PanHolderType =
  | 'individual'
  | 'company'
  | 'hindu_undivided_family'
  | 'firm'
  | 'association_of_persons'
  | 'trust'
  | 'body_of_individuals'
  | 'local_authority'
  | 'artificial_juridical_person'
  | 'government'
  | 'unknown'

export type PanIssueCode =
  | 'invalid_length'
  | 'invalid_format'
  | 'unknown_holder_type'
  | 'zero_sequence'
  | 'name_initial_mismatch'

export interface PanValidation {
  normalized: string
  valid_format: boolean
  holder_type: PanHolderType
  /** Null without a name, and when the surname is ambiguous. */
  name_initial_match: boolean | null
  issues: { code: PanIssueCode; message: string }[]
  government_lookup: false
  note: string
}

/** The fourth character (Income-tax Department of India, structure of the PAN). */
const holderTypes: Readonly<Record<string, PanHolderType>> = {
  P: 'individual',
  C: 'company',
  H: 'hindu_undivided_family',
  F: 'firm',
  A: 'association_of_persons',
  T: 'trust',
  B: 'body_of_individuals',
  L: 'local_authority',
  J: 'artificial_juridical_person',
  G: 'government',
}

const panLength = 10
const panFormat = /^[A-Z]{5}[0-9]{4}[A-Z]$/
const note =
  'Structural validation only: format, holder type and name initial. No government source was asked, and the last character has no published algorithm.'

const messages: Readonly<Record<PanIssueCode, string>> = {
  invalid_length: 'A PAN has ten characters',
  invalid_format: 'A PAN is five letters, four digits and a letter',
  unknown_holder_type: 'The fourth character is no known holder type',
  zero_sequence: 'The sequence number runs from 0001 to 9999',
  name_initial_mismatch: 'The fifth character is not the initial of the surname or the entity name',
}

/**
 * Removes spaces and upper-cases ASCII letters only, so that no other character (such as the long s) becomes a letter.
 */
function normalize(pan: string): string {
  return pan.replace(/\s/gu, '').replace(/[a-z]/g, (letter) => letter.toUpperCase())
}

/**
 * Validates the structure of a PAN: format, holder type, and, when a name is given, the fifth character against the
 * surname of an individual or the first word of an entity's name. No external source is queried.
 */
export function validatePan(pan: string, name?: string): PanValidation {
  const normalized = normalize(pan)
  const codes: PanIssueCode[] = []
  const wellFormed = panFormat.test(normalized)
  if (normalized.length !== panLength) codes.push('invalid_length')
  else if (!wellFormed) codes.push('invalid_format')
  const holderType = wellFormed ? (holderTypes[normalized[3]!] ?? 'unknown') : 'unknown'
  if (wellFormed && holderType === 'unknown') codes.push('unknown_holder_type')
  if (wellFormed && normalized.slice(5, 9) === '0000') codes.push('zero_sequence')
  const validFormat = codes.length === 0

  const match =
    wellFormed && name !== undefined
      ? compareNameInitial(normalized[4]!, name, holderType === 'individual')
      : null
  if (match === false) codes.push('name_initial_mismatch')

  return {
    normalized,
    valid_format: validFormat,
    holder_type: holderType,
    name_initial_match: match,
    issues: codes.map((code) => ({ code, message: messages[code] })),
    government_lookup: false,
    note,
  }
}
