import {
  type CheckStatus,
  type DocumentType,
  type ImageQuality,
  maskDocumentNumber,
  type SubjectIdentity,
  statusOf,
  type Warning,
} from '@kyc/common'
import { type CrossCheck, crossCheck } from './cross-check.ts'
import type { DocumentInput } from './document-input.ts'
import { agrees, typeOfMrz, typeOfTitle } from './document-type.ts'
import {
  barcodeWarnings,
  fieldWarnings,
  isPast,
  mrzWarnings,
  portraitWarnings,
  qualityWarnings,
  ruleWarnings,
  screenWarnings,
  sideWarnings,
  uploadWarnings,
} from './document-warnings.ts'
import { extractIdentity, mergeVisual } from './identity.ts'
import { qualityScore } from './quality.ts'
import type { MrzReading } from './side-reading.ts'

export interface DocumentVerdict {
  readonly status: CheckStatus
  /** The lowest of the confidences of image, MRZ and visual zone. */
  readonly score: number
  readonly data: Record<string, unknown>
  readonly warnings: Warning[]
  readonly documentType: DocumentType | null
  readonly subject: SubjectIdentity
  readonly quality: ImageQuality
}

/** The score of an MRZ whose check digits fail, or on whose name the readers disagree. */
const UNPROVEN = 0.3
const PROVEN_BY_TWO = 0.99

/** Evaluates what was read of a document: the `document` check and the identity that it proves. */
export function evaluateDocument(input: DocumentInput): DocumentVerdict {
  const readings = input.sides.map((side) => side.reading)
  const mrz = bestMrz(readings.flatMap((reading) => reading.mrz ?? []))
  const documentType = typeOf(input, mrz)
  const { subject, nameCertain, visualConfidence } = extractIdentity(readings, documentType)
  const lines = readings.flatMap((reading) => reading.lines)
  const crossChecks = mrz
    ? crossCheck(mrz.document, mergeVisual(readings.map((reading) => reading.visual)), lines, input.today)
    : []
  const quality = worstQuality(readings.map((reading) => reading.quality))
  const warnings = [
    ...mrzWarnings(mrz, documentType, crossChecks),
    ...barcodeWarnings(input, documentType),
    ...sideWarnings(input, documentType),
    ...ruleWarnings(input, documentType, subject),
    ...fieldWarnings(subject, documentType, nameCertain),
    ...qualityWarnings(quality, mrz?.holds === true && nameCertain),
    ...portraitWarnings(input, documentType),
    ...screenWarnings(input),
    ...uploadWarnings(input),
  ]
  return {
    status: statusOf(warnings),
    score: round(Math.min(qualityScore(quality), zoneScore(mrz, nameCertain), visualConfidence)),
    data: {
      document_type: documentType,
      issuing_state: subject.issuing_state ?? input.declaredCountry,
      sides: input.sides.map((side) => side.side),
      format: mrz?.document.format ?? null,
      mrz_valid: mrz ? mrz.holds : null,
      check_digits: mrz?.document.check_digits ?? null,
      capture_method: input.sides.every((side) => side.capture_method === 'camera') ? 'camera' : 'upload',
      quality,
      cross_checks: crossChecks.map(withMaskedNumber),
      not_expired:
        subject.identity.expiry_date === null ? null : !isPast(subject.identity.expiry_date, input.today),
    },
    warnings,
    documentType,
    subject,
    quality,
  }
}

/** A decision masks the document number wherever it occurs. */
const withMaskedNumber = (check: CrossCheck): CrossCheck =>
  check.field === 'document_number'
    ? { ...check, mrz: maskDocumentNumber(check.mrz), visual: maskDocumentNumber(check.visual) }
    : check

const round = (value: number) => Math.round(value * 1000) / 1000
/** Prefers an MRZ with valid check digits; cards may have it on either side. */
function bestMrz(zones: readonly MrzReading[]): MrzReading | null {
  return zones.find((zone) => zone.holds) ?? zones[0] ?? null
}

function typeOf(input: DocumentInput, mrz: MrzReading | null): DocumentType | null {
  const { declaredType } = input
  if (mrz) {
    const found = typeOfMrz(mrz.document)
    return declaredType && agrees(found, declaredType) ? declaredType : found
  }
  for (const { reading } of input.sides) {
    if (reading.barcode?.kind === 'aamva') return reading.barcode.licence.kind
    if (reading.barcode?.kind === 'secure_qr') return 'aadhaar'
  }
  return declaredType ?? typeOfTitle(input.sides.flatMap((side) => side.reading.lines))
}

function zoneScore(mrz: MrzReading | null, nameCertain: boolean): number {
  if (!mrz) return 1
  if (!mrz.holds || !nameCertain) return UNPROVEN
  return mrz.readers === 2 && mrz.doubtful.length === 0 ? PROVEN_BY_TWO : mrz.confidence
}

function worstQuality(all: readonly ImageQuality[]): ImageQuality {
  const pick = (
    key: 'sharpness' | 'glare' | 'brightness' | 'resolution',
    worst: (...n: number[]) => number,
  ) => {
    const values = all.flatMap((quality) => quality[key] ?? [])
    return values.length === 0 ? null : worst(...values)
  }
  return {
    sharpness: pick('sharpness', Math.min),
    glare: pick('glare', Math.max),
    brightness: pick('brightness', Math.min),
    resolution: pick('resolution', Math.min),
    cropped: all.some((quality) => quality.cropped === true),
  }
}
