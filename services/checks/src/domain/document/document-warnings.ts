import {
  type DocumentType,
  type ImageQuality,
  type SubjectIdentity,
  type Warning,
  type WarningCode,
  warningOf,
} from '@kyc/common'
import type { MrzDocument } from '../mrz/index.ts'
import type { CrossCheck } from './cross-check.ts'
import type { DocumentInput } from './document-input.ts'
import { expectsMrz } from './document-type.ts'
import { extractIdentity } from './identity.ts'
import { qualityIssues } from './quality.ts'
import { SCREEN_PATTERN_THRESHOLD } from './screen-pattern.ts'
import { isNameField } from './settle-names.ts'
import type { MrzReading } from './side-reading.ts'

const DAY_MS = 86_400_000
const make = (
  code: WarningCode<'document'>,
  message: string,
  options: { field?: string; details?: Record<string, unknown> } = {},
) => warningOf('document', code, message, options)

export function mrzWarnings(
  mrz: MrzReading | null,
  type: DocumentType | null,
  crossChecks: readonly CrossCheck[],
): Warning[] {
  if (!mrz) {
    return type && expectsMrz(type) ? [make('mrz_not_found', 'No machine-readable zone was found.')] : []
  }
  const warnings: Warning[] = []
  if (!mrz.holds) {
    warnings.push(
      make('mrz_checksum_failed', 'Check digits of the machine-readable zone do not hold.', {
        details: { failed: failedDigits(mrz.document) },
      }),
    )
  } else if (mrz.document.corrections.length > 0) {
    warnings.push(
      make('mrz_corrected', 'Characters of the machine-readable zone were put right by its check digits.', {
        details: { corrections: mrz.document.corrections.length },
      }),
    )
  }
  for (const field of doubtedFields(mrz, crossChecks)) {
    warnings.push(
      make('field_missing', `${field} could not be read with certainty.`, {
        field,
        details: { reason: 'readers_disagree' },
      }),
    )
  }
  for (const check of crossChecks) {
    if (check.match) continue
    warnings.push(
      make('mrz_visual_mismatch', 'The machine-readable zone and the print differ.', { field: check.field }),
    )
  }
  return warnings
}

/**
 * Fields of an MRZ with valid check digits that contain an uncertain character which the visual zone does not confirm.
 * Excludes names, which `settleNames` handles. In the document code, only the letter for the document type matters.
 */
function doubtedFields({ holds, doubtful }: MrzReading, crossChecks: readonly CrossCheck[]): string[] {
  if (!holds) return []
  const confirmed = new Set<string>(crossChecks.filter(({ match }) => match).map(({ field }) => field))
  const fields = doubtful
    .filter(({ field, position }) => !isNameField(field) && !(field === 'document_code' && position > 0))
    .map(({ field }) => field)
    .filter((field) => !confirmed.has(field))
  return [...new Set(fields)]
}

const failedDigits = ({ check_digits }: MrzDocument) =>
  Object.entries(check_digits).flatMap(([name, holds]) => (holds === false ? [name] : []))

export function barcodeWarnings(input: DocumentInput, type: DocumentType | null): Warning[] {
  const barcodes = input.sides.flatMap((side) => side.reading.barcode ?? [])
  const warnings: Warning[] = []
  if (barcodes.some((barcode) => barcode.kind === 'invalid')) {
    warnings.push(make('barcode_invalid', 'The barcode could not be understood.'))
  }
  for (const barcode of barcodes) {
    if (barcode.kind !== 'secure_qr') continue
    if (barcode.answer.signature === 'invalid') {
      warnings.push(make('secure_qr_signature_invalid', 'The signature of the QR code does not verify.'))
    } else if (barcode.answer.signature === 'no_certificates') {
      warnings.push(
        make('secure_qr_no_certificates', 'No certificate is installed to verify the QR code with.'),
      )
    }
  }
  const carriesOne =
    type === 'aadhaar' || (type === 'driving_licence' && /^(USA|CAN)$/.test(input.declaredCountry ?? ''))
  if (carriesOne && barcodes.length === 0) warnings.push(make('barcode_not_found', 'No barcode was found.'))
  return warnings
}

export function sideWarnings(input: DocumentInput, type: DocumentType | null): Warning[] {
  const warnings: Warning[] = []
  if (needsBack(input, type))
    warnings.push(make('document_back_missing', 'The back of the document is missing.'))
  const [front, back] = (['front', 'back'] as const).map(
    (name) => input.sides.find((side) => side.side === name)?.reading,
  )
  if (front && back) {
    const differing = differingFields(
      extractIdentity([front], type).subject,
      extractIdentity([back], type).subject,
    )
    for (const field of differing) {
      warnings.push(make('document_sides_mismatch', 'Front and back are of different documents.', { field }))
    }
  }
  return warnings
}

/** The visual zone is sometimes misread, so compare only what check digits or barcodes confirm on both sides. */
function differingFields(front: SubjectIdentity, back: SubjectIdentity): string[] {
  const proven = (subject: SubjectIdentity, key: string) =>
    (subject.identity.sources[key] ?? 'visual') !== 'visual'
  const fields: string[] = []
  if (
    proven(front, 'date_of_birth') &&
    proven(back, 'date_of_birth') &&
    front.identity.date_of_birth !== back.identity.date_of_birth
  ) {
    fields.push('date_of_birth')
  }
  if (
    proven(front, 'document_number_masked') &&
    proven(back, 'document_number_masked') &&
    front.document_number !== back.document_number
  ) {
    fields.push('document_number')
  }
  return fields
}

/**
 * Whether the back is still required. With `auto`, cards require it until a side with an MRZ, a barcode or a signed
 * code was read; booklets, visas and PAN cards never do.
 */
export function needsBack(input: DocumentInput, type: DocumentType | null): boolean {
  const { require_back } = input.config
  if (require_back === false || input.sides.some((side) => side.side === 'back')) return false
  if (require_back === true) return true
  if (type === null || type === 'passport' || type === 'visa' || type === 'pan_card') return false
  if (type === 'voter_id') return input.sides.every((side) => side.reading.visual.birth_date === undefined)
  return input.sides.every(({ reading }) => reading.mrz === null && reading.barcode === null)
}

export function ruleWarnings(
  input: DocumentInput,
  type: DocumentType | null,
  subject: SubjectIdentity,
): Warning[] {
  const { config, today } = input
  const warnings: Warning[] = []
  if (config.allowed_types.length > 0 && (type === null || !config.allowed_types.includes(type))) {
    warnings.push(
      make('document_type_not_allowed', 'This type of document is not accepted.', {
        details: { document_type: type },
      }),
    )
  }
  const country = subject.issuing_state ?? input.declaredCountry
  if (
    config.allowed_countries !== null &&
    (country === null || !config.allowed_countries.includes(country))
  ) {
    warnings.push(
      make('document_country_not_allowed', 'Documents of this country are not accepted.', {
        details: { country },
      }),
    )
  }
  const expiry = subject.identity.expiry_date
  if (expiry !== null && isPast(expiry, today)) {
    warnings.push(make('document_expired', 'The document has expired.', { field: 'expiry_date' }))
  } else if (expiry !== null && daysUntil(expiry, today) < config.expiring_soon_days) {
    warnings.push(make('document_expiring_soon', 'The document expires soon.', { field: 'expiry_date' }))
  }
  return warnings
}

/** A document is valid until the end of its expiry date. */
export const isPast = (date: string, today: Date) => date < today.toISOString().slice(0, 10)
const daysUntil = (date: string, today: Date) =>
  Math.round((Date.parse(date) - Date.parse(today.toISOString().slice(0, 10))) / DAY_MS)

export function fieldWarnings(
  subject: SubjectIdentity,
  type: DocumentType | null,
  nameCertain: boolean,
): Warning[] {
  const warnings: Warning[] = []
  const missing = (field: string) =>
    warnings.push(make('field_missing', `${field} could not be read.`, { field }))
  const { identity } = subject
  // The type is neither declared, nor printed, nor given by an MRZ or barcode, so this may be any printed page.
  if (type === null) missing('document_type')
  if (identity.full_name === null) missing('full_name')
  else if (!nameCertain) {
    warnings.push(
      make('field_missing', 'The name could not be read with certainty.', {
        field: 'full_name',
        details: { reason: 'readers_disagree' },
      }),
    )
  }
  if (identity.date_of_birth === null) missing('date_of_birth')
  // The signed code of an Aadhaar card contains only the last four digits, by design.
  if (subject.document_number === null && type !== 'aadhaar') missing('document_number')
  return warnings
}

const qualityMessages: Readonly<Record<string, string>> = {
  image_blurry: 'The photo is blurred.',
  image_glare: 'A reflection covers part of the document.',
  image_dark: 'The photo is too dark.',
  image_cropped: 'The document is cut off at the edge.',
  image_low_resolution: 'The photo is too small.',
}

/**
 * A reading with valid check digits was legible, so sharpness and similar measures are ignored. Cut-off or covered
 * parts are still reported.
 */
export function qualityWarnings(quality: ImageQuality, proven: boolean): Warning[] {
  return qualityIssues(quality)
    .filter((issue) => !proven || issue === 'image_cropped' || issue === 'image_glare')
    .map((issue) => make(issue, qualityMessages[issue]!))
}

/** Visas often have no portrait. Without a search on any side (no model, an older reading), there is no warning. */
export function portraitWarnings(input: DocumentInput, type: DocumentType | null): Warning[] {
  if (type === null || type === 'visa') return []
  const front = input.sides.find(({ side }) => side === 'front')
  if (front?.reading.portrait !== null || input.sides.some(({ reading }) => reading.portrait)) return []
  return [make('portrait_not_found', 'No portrait was found on the document.')]
}

/**
 * A reason for review and never proof: a screen photographed exactly straight has no pattern off the axes, and fine
 * print may have one.
 */
export function screenWarnings(input: DocumentInput): Warning[] {
  const pattern = Math.max(...input.sides.map(({ reading }) => reading.screenPattern ?? 0))
  if (pattern < SCREEN_PATTERN_THRESHOLD) return []
  return [
    make(
      'screen_capture_suspected',
      'One regular pattern covers the photo, as in photos of screens and prints.',
      {
        details: { pattern, threshold: SCREEN_PATTERN_THRESHOLD },
      },
    ),
  ]
}

export function uploadWarnings(input: DocumentInput): Warning[] {
  return input.sides.some((side) => side.capture_method === 'upload')
    ? [make('uploaded_not_captured', 'The photo was uploaded, not taken in the flow.')]
    : []
}
