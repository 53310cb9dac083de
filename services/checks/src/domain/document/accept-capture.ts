import type { CaptureIssue } from '@kyc/common'
import type { DocumentInput } from './document-input.ts'
import { expectsMrz, typeOfMrz } from './document-type.ts'
import { needsBack } from './document-warnings.ts'
import { extractIdentity } from './identity.ts'
import { qualityIssues } from './quality.ts'
import type { CapturedSide } from './side-reading.ts'

/** What the person should improve in one photo, the most useful first; empty when the photo is acceptable. */
export function captureIssues(capture: CapturedSide, input: DocumentInput): CaptureIssue[] {
  const { reading } = capture
  const proven = reading.mrz?.holds === true && extractIdentity([reading], null).nameCertain
  const quality = qualityIssues(reading.quality).filter(
    (issue) => !proven || issue === 'image_cropped' || issue === 'image_glare',
  )
  const issues: CaptureIssue[] = quality.map((code) => ({ code, message: messages[code]! }))
  if (reading.lines.length === 0 && reading.mrz === null && reading.barcode === null) {
    issues.push(issue('document_not_found'))
  } else if (reading.mrz && !reading.mrz.holds) {
    issues.push(issue('mrz_checksum_failed'))
  } else if (reading.mrz && !proven) {
    issues.push(issue('field_missing'))
  } else if (!reading.mrz && zoneExpected(capture, input)) {
    issues.push(issue('mrz_not_found'))
  }
  return issues
}

const messages: Readonly<Record<string, string>> = {
  image_cropped: 'Part of the document is outside the photo. Move back a little.',
  image_glare: 'A reflection covers part of the document. Tilt it away from the light.',
  image_dark: 'The photo is too dark. Find more light.',
  image_blurry: 'The photo is blurred. Hold still and let the camera focus.',
  image_low_resolution: 'The photo is too small. Move closer.',
  document_not_found: 'No document was found in the photo.',
  mrz_checksum_failed:
    'The lines of letters at the bottom could not be read correctly. Take the photo again.',
  mrz_not_found: 'The lines of letters at the bottom were not found. Show the whole page.',
  field_missing: 'The name could not be read with certainty. Take the photo again.',
}

const issue = (code: string): CaptureIssue => ({ code, message: messages[code]! })

/** Booklets and visas have the MRZ on the side that is captured first; cards have it on one of the two sides. */
function zoneExpected({ side, reading }: CapturedSide, input: DocumentInput): boolean {
  const type = input.declaredType
  if (type === null || !expectsMrz(type) || reading.barcode !== null) return false
  if (type === 'passport' || type === 'visa') return side === 'front'
  return side === 'back' && input.sides.every((other) => other.reading.mrz === null)
}

/** Whether the person has to capture the back next. */
export function asksForBack(input: DocumentInput): boolean {
  const mrz = input.sides.find((side) => side.reading.mrz)?.reading.mrz
  return needsBack(input, mrz ? typeOfMrz(mrz.document) : input.declaredType)
}
