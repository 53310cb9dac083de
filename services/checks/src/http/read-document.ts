import {
  type DocumentAnswer,
  type DocumentType,
  defaultWorkflowConfig,
  type IdentitySource,
  unprocessable,
} from '@kyc/common'
import { evaluateDocument } from '../domain/document/evaluate-document.ts'
import type { CapturedSide, SideReading } from '../domain/document/side-reading.ts'
import type { DocumentReader } from '../reading/document-reader.ts'

export interface DocumentImages {
  readonly image: Uint8Array
  readonly image_back: Uint8Array | null
  readonly document_type: DocumentType | null
  readonly country: string | null
}

/**
 * POST /v1/checks/document: reads photos of a document and evaluates them without a workflow's restrictions. Stores
 * nothing. 422 for an invalid image, or when no document is found.
 */
export async function answerDocument(
  reader: DocumentReader,
  images: DocumentImages,
  today: Date,
): Promise<DocumentAnswer> {
  const [front, back] = await Promise.all([
    reader.read(images.image, today),
    images.image_back && reader.read(images.image_back, today),
  ])
  const sides: CapturedSide[] = [{ side: 'front', capture_method: 'camera', reading: front }]
  if (back) sides.push({ side: 'back', capture_method: 'camera', reading: back })
  if (!sides.some(({ reading }) => showsDocument(reading))) {
    throw unprocessable('image: no document was found.')
  }
  const verdict = evaluateDocument({
    sides,
    declaredType: images.document_type,
    declaredCountry: images.country,
    config: defaultWorkflowConfig().steps.document,
    today,
  })
  const { document_number_masked: _, sources, ...identity } = verdict.subject.identity
  return {
    document_type: verdict.documentType,
    identity: { ...identity, document_number: verdict.subject.document_number, sources: unmasked(sources) },
    mrz:
      (sides.find(({ reading }) => reading.mrz?.holds) ?? sides.find(({ reading }) => reading.mrz))?.reading
        .mrz?.document ?? null,
    quality: verdict.quality,
    warnings: verdict.warnings,
  }
}

/** Requires an MRZ, a barcode, or at least two labelled fields: less may be any printed page. */
const showsDocument = ({ mrz, barcode, visual }: SideReading) =>
  mrz !== null || barcode !== null || Object.keys(visual).length >= 2

function unmasked({ document_number_masked: number, ...sources }: Readonly<Record<string, IdentitySource>>) {
  return number === undefined ? sources : { ...sources, document_number: number }
}
