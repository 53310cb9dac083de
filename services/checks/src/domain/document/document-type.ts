import type { DocumentType } from '@kyc/common'
import type { MrzDocument } from '../mrz/index.ts'
import { plainText } from './labels.ts'
import type { PrintedLine } from './printed-line.ts'

/** The document type given by the document code of the MRZ (ICAO 9303-4 to -7). */
export function typeOfMrz({ format, document_code }: MrzDocument): DocumentType {
  if (format === 'mrv_a' || format === 'mrv_b') return 'visa'
  if (document_code.startsWith('P')) return 'passport'
  return document_code[1] === 'R' ? 'residence_permit' : 'identity_card'
}

/** Whether a document declared as that type may carry an MRZ of this type. */
export function agrees(found: DocumentType, declared: DocumentType): boolean {
  if (found === declared) return true
  // Many states use their own I and A codes on residence permits and driving licences.
  return found === 'identity_card' && (declared === 'residence_permit' || declared === 'driving_licence')
}

const titles: readonly (readonly [RegExp, DocumentType])[] = [
  [
    /\bresidence permit\b|\btitre de sejour\b|\baufenthaltstitel\b|\bpermiso de residencia\b/,
    'residence_permit',
  ],
  [
    /\bdriving licen[cs]e\b|\bdriver s? ?licen[cs]e\b|\bpermis de conduire\b|\bfuhrerschein\b/,
    'driving_licence',
  ],
  [/\bincome tax department\b|\bpermanent account number\b/, 'pan_card'],
  [/\baadhaar\b|\bunique identification authority\b/, 'aadhaar'],
  [/\belection commission of india\b|\belector s? ?photo\b/, 'voter_id'],
  [/\bpassport\b|\bpasseport\b|\breisepass\b|\bpasaporte\b/, 'passport'],
  [
    /\bidentity card\b|\bcarte nationale d identite\b|\bpersonalausweis\b|\bdocumento nacional de identidad\b/,
    'identity_card',
  ],
  [/\bvisa\b/, 'visa'],
]

/** The document type named by the printed title; null when no title is legible. */
export function typeOfTitle(lines: readonly PrintedLine[]): DocumentType | null {
  const text = lines.map((line) => plainText(line.text)).join(' | ')
  for (const [pattern, type] of titles) if (pattern.test(text)) return type
  return null
}

/** Types that carry an MRZ in every state that follows ICAO 9303. */
export const expectsMrz = (type: DocumentType) =>
  type === 'passport' || type === 'visa' || type === 'identity_card' || type === 'residence_permit'
