import { inbox } from '@kyc/bus'
import {
  type Check,
  type CheckKind,
  checkCompleted,
  check as checkSchema,
  sealContexts,
  toTimestamp,
} from '@kyc/common'
import { VaultKeyDestroyedError } from '@kyc/vault'
import { livenessError } from '../domain/liveness-check.ts'
import { scopeOf } from '../domain/session-scope.ts'
import { scenarioChecks } from '../domain/test-scenario.ts'
import { type AttemptRecord, findAttempt } from '../store/attempts.ts'
import { saveFace } from '../store/faces.ts'
import { compareWithDocument } from './compare-with-document.ts'
import type { Operations, Submitted } from './context.ts'
import { EMBEDDING_CONTEXT, toStoredEmbedding } from './embedding-value.ts'
import { findDuplicates } from './find-duplicates.ts'

/** The kinds of check that this service answers for. */
export const ownKinds = ['liveness', 'face_match', 'duplicate'] as const satisfies readonly CheckKind[]
type OwnKind = (typeof ownKinds)[number]

type Findings = { checks: Partial<Record<OwnKind, Check>>; embedding: Float32Array | null }

/** Makes the checks of a submitted session, keeps its face for later searches and says what came out. */
export async function checkSession(
  operations: Operations,
  messageId: string,
  submitted: Submitted,
  trace: { traceparent: string | undefined; correlationId: string | undefined },
): Promise<void> {
  const { steps } = submitted.config
  // Without a liveness step there is no face to look for: a duplicate is then the document's matter alone.
  const kinds = ownKinds.filter((kind) => steps[kind].enabled && steps.liveness.enabled)
  if (kinds.length === 0) return
  try {
    const { checks, embedding } = await find(operations, submitted, kinds)
    await announce(operations, messageId, submitted, { checks, embedding }, trace)
  } catch (error) {
    // Purged meanwhile: nothing of the session may be written any more.
    if (!(error instanceof VaultKeyDestroyedError)) throw error
    operations.logger.info('a purged session is not checked', { session_id: submitted.session_id })
  }
}

async function find(
  operations: Operations,
  submitted: Submitted,
  kinds: readonly OwnKind[],
): Promise<Findings> {
  const now = toTimestamp(operations.clock.now())
  if (submitted.environment === 'test' && submitted.test_scenario !== null) {
    const scripted = scenarioChecks(submitted.test_scenario, submitted.config, now)
    return { checks: Object.fromEntries(kinds.map((kind) => [kind, scripted[kind]])), embedding: null }
  }
  const attempt = await findAttempt(operations.database, scopeOf(submitted), submitted.round)
  const checks: Findings['checks'] = {}
  if (kinds.includes('liveness')) checks.liveness = await frozenLiveness(operations, submitted, attempt, now)
  const comparison = await compareWithDocument(operations, submitted, attempt?.best_frame ?? null)
  if (kinds.includes('face_match')) checks.face_match = comparison.check
  if (kinds.includes('duplicate'))
    checks.duplicate = await findDuplicates(operations, submitted, comparison.selfie)
  // Kept only where it is searched for later.
  return { checks, embedding: kinds.includes('duplicate') ? comparison.selfie : null }
}

/** Liveness was judged when the frames were sent; submitting only makes it final. */
async function frozenLiveness(
  operations: Operations,
  submitted: Submitted,
  attempt: AttemptRecord | null,
  now: string,
): Promise<Check> {
  if (!attempt)
    return livenessError({ reason: 'no_attempt', attempts: 0, started_at: now, completed_at: now })
  const scope = scopeOf(submitted)
  return checkSchema.parse(await operations.vault.open(scope, sealContexts.check_data, attempt.sealed_check))
}

async function announce(
  operations: Operations,
  messageId: string,
  submitted: Submitted,
  { checks, embedding }: Findings,
  trace: { traceparent: string | undefined; correlationId: string | undefined },
): Promise<void> {
  const { vault, database, outbox } = operations
  const scope = scopeOf(submitted)
  const sealedFace = embedding && (await vault.seal(scope, EMBEDDING_CONTEXT, toStoredEmbedding(embedding)))
  const sealed = await Promise.all(
    Object.values(checks).map(async (check) => ({
      check,
      bytes: await vault.seal(scope, sealContexts.check_data, check),
    })),
  )
  await database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, 'face-biometrics.session.submitted', messageId))) return
    if (sealedFace) {
      const { vendor_data } = submitted
      await saveFace(tx, scope, { vendor_data, status: 'processing', sealed: sealedFace })
    }
    for (const { check, bytes } of sealed) {
      await outbox.append(
        tx,
        checkCompleted,
        {
          ...scope,
          round: submitted.round,
          final: true,
          kind: check.kind,
          part: check.kind === 'duplicate' ? 'face' : null,
          status: check.status,
          sealed_check: bytes.toString('base64'),
        },
        { orderingKey: scope.session_id, ...trace },
      )
    }
  })
}
