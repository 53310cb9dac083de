import { type Check, type EvidenceItem, notFound } from '@kyc/common'
import { z } from 'zod'
import { findEvidence } from '../store/evidence.ts'
import type { SessionRecord } from '../store/session-record.ts'
import type { Operations } from './context.ts'
import { findCurrent } from './find-current.ts'
import { presentDecision } from './present-decision.ts'

const pair = z.object({ document: z.string().nullable(), selfie: z.string().nullable() })
/** The images that `face_match` produced: annotated with the detected faces, and cropped portraits. */
const ofFaces = z.object({
  annotated: pair,
  // Sessions decided before portraits were introduced have none.
  portraits: pair.default({ document: null, selfie: null }),
})

/** Every viewable image of a session, latest round first. */
export async function listEvidence(
  operations: Operations,
  session: SessionRecord,
  checks: readonly Check[],
): Promise<EvidenceItem[]> {
  if (session.purged_at) return []
  const submitted = await findEvidence(operations.database, session.session_id)
  const uploads = submitted.flatMap(({ round, evidence }) =>
    evidence.map(({ object_id, kind, document_type, capture_method }) => ({
      object_id,
      kind,
      round,
      document_type,
      capture_method,
    })),
  )
  const made = checks
    .filter((check) => check.kind === 'face_match')
    .flatMap((check) => {
      const data = ofFaces.safeParse(check.data)
      return data.success ? [data.data] : []
    })
  const derived = (kind: EvidenceItem['kind'], objectId: string | null): EvidenceItem[] =>
    objectId === null
      ? []
      : [{ object_id: objectId, kind, round: session.round, document_type: null, capture_method: null }]
  return [
    ...uploads,
    ...made.flatMap(({ annotated, portraits }) => [
      ...derived('document_portrait', portraits.document),
      ...derived('selfie', portraits.selfie),
      ...derived('document_faces', annotated.document),
      ...derived('selfie_faces', annotated.selfie),
    ]),
  ]
}

/** One evidence item; `not_found` for any other object, including those of other apps. */
export async function findEvidenceItem(
  operations: Operations,
  request: { app_id: string; session_id: string; object_id: string },
): Promise<EvidenceItem> {
  const { vault, database } = operations
  const session = await findCurrent(operations, request)
  if (session.purged_at) throw notFound('picture')
  const { checks } = await presentDecision({ vault, sql: database }, session)
  const items = await listEvidence(operations, session, checks)
  const item = items.find(({ object_id }) => object_id === request.object_id)
  if (!item) throw notFound('picture')
  return item
}
