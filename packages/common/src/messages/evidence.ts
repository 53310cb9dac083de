import { z } from 'zod'
import { documentType } from '../domain/identity.ts'
import { objectId } from '../domain/ids.ts'

/** The kind of a stored file. */
export const evidenceKinds = ['document_front', 'document_back', 'liveness_frame'] as const

/** A reference into the vault; images never travel on the bus. */
export const evidenceRef = z.object({
  kind: z.enum(evidenceKinds),
  object_id: objectId,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  capture_method: z.enum(['camera', 'upload']),
  document_type: documentType.nullable(),
  country: z.string().nullable(),
})
export type EvidenceRef = z.infer<typeof evidenceRef>
