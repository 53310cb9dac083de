import { type Check, checkCompleted, type readUploadedDocument, sealContexts, toTimestamp } from '@kyc/common'
import type { z } from 'zod'
import { asksForBack, captureIssues } from '../domain/document/accept-capture.ts'
import type { DocumentInput } from '../domain/document/document-input.ts'
import { type DocumentVerdict, evaluateDocument } from '../domain/document/evaluate-document.ts'
import { scenarioReading } from '../domain/test-scenario.ts'
import type { StoredSide } from '../store/document-sides.ts'
import { documentEngine, type SessionChecks } from './context.ts'

type Request = z.output<typeof readUploadedDocument.request>
type Answer = z.input<typeof readUploadedDocument.response>

/**
 * Reads one uploaded side while the person still has the document at hand. Stores the reading when the photo is
 * acceptable or when no further attempt is left. A repeated request for the same photo reads it again and has no other
 * effect.
 */
export async function readUploaded(
  checks: SessionChecks,
  request: Request,
  context: { traceparent: string | undefined; correlationId: string | undefined },
): Promise<Answer> {
  const { deps, reader, sides, outbox } = checks
  const { round } = request
  const scope = { app_id: request.app_id, session_id: request.session_id }
  const now = deps.clock.now()
  const scenario = request.environment === 'test' ? request.test_scenario : null
  const reading =
    scenario === null
      ? await reader.read(await deps.vault.get(scope, request.object_id), now)
      : scenarioReading(scenario, request.session_id, now)
  const capture: StoredSide = {
    side: request.side,
    capture_method: request.capture_method,
    object_id: request.object_id,
    document_type: request.document_type,
    country: request.country,
    reading,
  }
  const earlier = (await sides.find(scope, round)).filter((side) => side.side !== request.side)
  const input = documentInput([...earlier, capture], request.config.steps.document, now)
  const issues = captureIssues(capture, input)
  const accepted = issues.length === 0 || request.last_attempt
  if (accepted) {
    const check = documentCheck(evaluateDocument(input), now, now)
    const [sealedReading, sealedCheck] = await Promise.all([
      sides.seal(scope, reading),
      deps.vault.seal(scope, sealContexts.check_data, check),
    ])
    await deps.database.transaction(async (tx) => {
      await sides.put(tx, scope, round, capture, sealedReading, now)
      await outbox.append(
        tx,
        checkCompleted,
        {
          ...scope,
          round,
          final: false,
          kind: 'document',
          status: check.status,
          sealed_check: sealedCheck.toString('base64'),
        },
        { orderingKey: request.session_id, ...context },
      )
    })
  }
  return {
    accepted,
    quality: reading.quality,
    issues: accepted && !request.last_attempt ? [] : issues.slice(0, 1),
    needs_back: accepted && asksForBack(input),
  }
}

/** The input of the document rules from the stored sides; the declared type comes from the front. */
export function documentInput(
  sides: readonly StoredSide[],
  config: DocumentInput['config'],
  today: Date,
): DocumentInput {
  const first = sides.find((side) => side.side === 'front') ?? sides[0]
  return {
    sides,
    declaredType: first?.document_type ?? null,
    declaredCountry: sides.find((side) => side.country !== null)?.country ?? null,
    config,
    today,
  }
}

export function documentCheck(verdict: DocumentVerdict, startedAt: Date, completedAt: Date): Check {
  return {
    kind: 'document',
    status: verdict.status,
    score: verdict.score,
    data: verdict.data,
    warnings: verdict.warnings,
    attempts: 1,
    started_at: toTimestamp(startedAt),
    completed_at: toTimestamp(completedAt),
    engine: documentEngine,
  }
}
