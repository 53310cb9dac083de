import { type DocumentType, type EvidenceRef, type endpoints, readUploadedDocument } from '@kyc/common'
import { newId } from '@kyc/runtime'
import type { z } from 'zod'
import { assertOpen, viewSteps } from '../domain/progress.ts'
import { earlierAnswer, rememberedUpload } from '../domain/repeated-upload.ts'
import { replaceEvidence } from '../store/evidence.ts'
import { findSteps, writeStep } from '../store/steps.ts'
import { type Operations, scopeOf, type Visit } from './context.ts'
import { ensureStarted } from './ensure-started.ts'
import { contentTypeOf } from './image-type.ts'
import { keepStep } from './keep-step.ts'

type Answer = z.input<typeof endpoints.uploadDocument.success.body>
type Upload = {
  side: 'front' | 'back'
  document_type: DocumentType
  country?: string | undefined
  capture_method: 'camera' | 'upload'
  upload_id?: string | undefined
}

/** Stores the photo, requests its reading while the person still has the document at hand, and returns advice. */
export async function uploadDocument(
  operations: Operations,
  opened: Visit,
  upload: Upload,
  image: Buffer,
): Promise<Answer> {
  const contentType = contentTypeOf(image, 'image')
  const visit = await ensureStarted(operations, opened)
  const { session } = visit
  const records = await findSteps(operations.database, session)
  const before = earlierAnswer<Answer>(
    records.find(({ step }) => step === 'document'),
    upload.upload_id,
  )
  if (before) return before
  const view = assertOpen('document', viewSteps(session.config, records))
  const used = view.record?.attempts_used ?? 0
  const max = session.config.steps.document.max_attempts
  const lastAttempt = used + 1 >= max

  const scope = scopeOf(session)
  const stored = await operations.vault.put(scope, newId('object'), image, { contentType })
  const reading = await operations.bus
    .request(
      readUploadedDocument,
      {
        ...scope,
        round: session.round,
        environment: session.environment,
        object_id: stored.object_id,
        side: upload.side,
        document_type: upload.document_type,
        country: upload.country ?? null,
        capture_method: upload.capture_method,
        last_attempt: lastAttempt,
        config: session.config,
        test_scenario: session.test_scenario,
      },
      { traceparent: visit.traceparent },
    )
    .catch(async (error: unknown) => {
      // The attempt is not counted and the photo is deleted, because the person sends it again.
      await operations.vault.delete(scope, stored.object_id)
      throw error
    })

  const sides = new Set(
    Array.isArray(view.record?.progress.sides) ? (view.record.progress.sides as string[]) : [],
  )
  const answered = { side: upload.side, quality: reading.quality, issues: reading.issues }
  const now = operations.clock.now()
  if (!reading.accepted) {
    const remaining = Math.max(0, max - used - 1)
    const answer = { ...answered, accepted: false, needs_back: false, attempts_remaining: remaining }
    const next = {
      step: 'document',
      status: 'retry',
      attempts_used: used + 1,
      progress: { ...view.record?.progress, ...rememberedUpload(upload.upload_id, answer) },
    } as const
    await writeStep(operations.database, session, view.record, next, now)
    await operations.vault.delete(scope, stored.object_id)
    return answer
  }
  sides.add(upload.side)
  const needsBack = reading.needs_back && !sides.has('back')
  const complete = sides.has('front') && !needsBack
  const ref: EvidenceRef = {
    kind: `document_${upload.side}`,
    object_id: stored.object_id,
    sha256: stored.sha256,
    capture_method: upload.capture_method,
    document_type: upload.document_type,
    country: upload.country ?? null,
  }
  const answer = { ...answered, accepted: true, needs_back: needsBack, attempts_remaining: max - used }
  const replaced = await operations.database.transaction(async (tx) => {
    const progress = {
      sides: [...sides],
      needs_back: needsBack,
      document_type: upload.document_type,
      ...rememberedUpload(upload.upload_id, answer),
    }
    const next = {
      step: 'document',
      status: complete ? 'completed' : 'retry',
      attempts_used: used,
      progress,
    } as const
    await keepStep(operations, tx, session, view.record, next, now)
    return replaceEvidence(tx, session, ref.kind, [ref], now)
  })
  for (const objectId of replaced) await operations.vault.delete(scope, objectId)
  return answer
}
