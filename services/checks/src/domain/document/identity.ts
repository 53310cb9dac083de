import type { SecureQrAnswer } from '@kyc/common'
import {
  type DocumentType,
  type Identity,
  type IdentitySource,
  maskDocumentNumber,
  type SubjectIdentity,
} from '@kyc/common'
import type { DrivingLicence } from './aamva.ts'
import { toAlpha3 } from './countries.ts'
import { settleNames } from './settle-names.ts'
import type { MrzReading, SideReading } from './side-reading.ts'
import type { VisualZone } from './visual-zone.ts'

/** What one source states about a person and a document; null where it states nothing reliable. */
interface Statement {
  readonly source: IdentitySource
  readonly full_name: string | null
  readonly date_of_birth: string | null
  readonly nationality: string | null
  readonly document_number: string | null
  readonly expiry_date: string | null
  readonly issuing_state: string | null
}

export interface ExtractedIdentity {
  readonly subject: SubjectIdentity
  /** Whether the MRZ readers agree on the name with certainty. */
  readonly nameCertain: boolean
  /** Lowest confidence of the visual values used in the identity; 1 when none is used. */
  readonly visualConfidence: number
}

/**
 * The person as the sides of a document show them. Each field comes from the most reliable source that has it: a signed
 * QR code, the MRZ where the check digit is valid, a barcode, the visual zone.
 */
export function extractIdentity(
  sides: readonly SideReading[],
  documentType: DocumentType | null,
): ExtractedIdentity {
  const visual = mergeVisual(sides.map((side) => side.visual))
  const lines = sides.flatMap((side) => side.lines)
  const statements: Statement[] = []
  let nameCertain = true
  for (const { barcode } of sides) {
    if (barcode?.kind === 'secure_qr' && barcode.answer.signature !== 'invalid') {
      statements.push(fromSecureQr(barcode.answer))
    }
  }
  for (const { mrz } of sides) {
    if (!mrz) continue
    const names = settleNames(mrz, visual, lines)
    nameCertain &&= names.certain
    statements.push(fromMrz(mrz, names))
  }
  for (const { barcode } of sides)
    if (barcode?.kind === 'aamva') statements.push(fromLicence(barcode.licence))
  statements.push(fromVisual(visual))

  const sources: Record<string, IdentitySource> = {}
  const first = <K extends Exclude<keyof Statement, 'source'>>(
    key: K,
    shown: string = key,
  ): string | null => {
    const statement = statements.find((item) => item[key] !== null)
    if (!statement) return null
    sources[shown] = statement.source
    return statement[key]
  }
  const number = first('document_number', 'document_number_masked')
  const identity: Identity = {
    full_name: first('full_name'),
    date_of_birth: first('date_of_birth'),
    nationality: first('nationality'),
    document_type: documentType,
    document_number_masked: number === null ? null : maskDocumentNumber(number),
    expiry_date: first('expiry_date'),
    sources,
  }
  const typeSource = sides.some((side) => side.mrz)
    ? 'mrz'
    : sides.some((side) => side.barcode)
      ? 'barcode'
      : null
  if (documentType && typeSource) sources.document_type = typeSource
  const issuingState = statements.find((item) => item.issuing_state !== null)?.issuing_state ?? null
  return {
    subject: { identity, document_number: number, issuing_state: issuingState },
    nameCertain,
    visualConfidence: confidenceUsed(visual, sources),
  }
}

/** Takes each field from the first side that shows it. */
export function mergeVisual(zones: readonly VisualZone[]): VisualZone {
  return Object.assign({}, ...[...zones].reverse())
}

const fullName = (given: string | null, surname: string | null) =>
  [given, surname].filter((part) => part !== null && part !== '').join(' ') || null

function fromMrz(mrz: MrzReading, names: { surname: string; given_names: string }): Statement {
  const { document } = mrz
  const digits = document.check_digits
  return {
    source: 'mrz',
    full_name: fullName(names.given_names, names.surname),
    date_of_birth: digits.birth_date === true ? document.birth_date : null,
    nationality: document.nationality === '' ? null : toAlpha3(document.nationality),
    document_number:
      digits.document_number === true && document.document_number !== '' ? document.document_number : null,
    expiry_date: digits.expiry_date === true ? document.expiry_date : null,
    issuing_state: document.issuing_state === '' ? null : toAlpha3(document.issuing_state),
  }
}

/** The code contains only the last four digits of the number, so no number is taken from it. */
function fromSecureQr(answer: SecureQrAnswer): Statement {
  return {
    source: 'secure_qr',
    full_name: answer.name || null,
    date_of_birth: answer.date_of_birth,
    nationality: null,
    document_number: null,
    expiry_date: null,
    issuing_state: 'IND',
  }
}

function fromLicence(licence: DrivingLicence): Statement {
  return {
    source: 'barcode',
    full_name: fullName(licence.given_names, licence.surname),
    date_of_birth: licence.birth_date,
    nationality: null,
    document_number: licence.document_number,
    expiry_date: licence.expiry_date,
    issuing_state: licence.issuing_country,
  }
}

function fromVisual(visual: VisualZone): Statement {
  return {
    source: 'visual',
    full_name:
      fullName(visual.given_names?.value ?? null, visual.surname?.value ?? null) ??
      visual.full_name?.value ??
      null,
    date_of_birth: visual.birth_date?.value ?? null,
    // A printed nationality is usually a word in some language and not a code.
    nationality: /^[A-Z]{3}$/.test(visual.nationality?.value ?? '') ? visual.nationality!.value : null,
    document_number: visual.document_number?.value ?? null,
    expiry_date: visual.expiry_date?.value ?? null,
    issuing_state: null,
  }
}

function confidenceUsed(visual: VisualZone, sources: Readonly<Record<string, IdentitySource>>): number {
  const used = (key: string) => sources[key] === 'visual'
  const values = [
    used('full_name') ? (visual.surname?.confidence ?? visual.full_name?.confidence) : undefined,
    used('full_name') ? visual.given_names?.confidence : undefined,
    used('date_of_birth') ? visual.birth_date?.confidence : undefined,
    used('document_number_masked') ? visual.document_number?.confidence : undefined,
    used('expiry_date') ? visual.expiry_date?.confidence : undefined,
  ]
  return Math.min(1, ...values.filter((value) => value !== undefined))
}
