import { type ClaimedMessage, type Consumption, TransientError } from '@kyc/bus'
import {
  type Check,
  type CheckKind,
  checkCompleted,
  check as checkSchema,
  sealContexts,
  type sessionSubmitted,
  toTimestamp,
  UnavailableError,
} from '@kyc/common'
import type { Sql } from '@kyc/runtime'
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

/** The kinds of check that this service performs. */
export const ownKinds = ['liveness', 'face_match', 'duplicate'] as const satisfies readonly CheckKind[]
type OwnKind = (typeof ownKinds)[number]

type Findings = { checks: Partial<Record<OwnKind, Check>>; embedding: Float32Array | null }

type SealedFindings = { checks: { check: Check; sealed: string }[]; sealedFace: Buffer | null }

/** Performs the checks of a submitted session, stores its face for later searches and publishes the results. */
export function checkSession(operations: Operations): Consumption<typeof sessionSubmitted, SealedFindings> {
  return {
    prefetch: 2,
    prepare: ({ payload }) => findAndSeal(operations, payload),
    handle: publishFindings,
  }
}

async function findAndSeal(operations: Operations, submitted: Submitted): Promise<SealedFindings | null> {
  const { steps } = submitted.config
  // Without a liveness step there is no face to search for, so duplicates are found only by their document.
  const kinds = ownKinds.filter((kind) => steps[kind].enabled && steps.liveness.enabled)
  if (kinds.length === 0) return null
  try {
    return await seal(operations, submitted, await find(operations, submitted, kinds))
  } catch (error) {
    // The engine's queue is full, which is not caused by the message, so retry without counting an attempt.
    if (error instanceof UnavailableError) throw new TransientError(error.message)
    // The session was purged in the meantime, so nothing about it may be written.
    if (!(error instanceof VaultKeyDestroyedError)) throw error
    operations.logger.info('skipped the checks of a purged session', { session_id: submitted.session_id })
    return null
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
  // Store the embedding only if the workflow searches for duplicates.
  return { checks, embedding: kinds.includes('duplicate') ? comparison.selfie : null }
}

/** Liveness was evaluated when the frames were uploaded; submission only makes it final. */
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

async function seal(
  { vault }: Operations,
  submitted: Submitted,
  { checks, embedding }: Findings,
): Promise<SealedFindings> {
  const scope = scopeOf(submitted)
  return {
    sealedFace: embedding && (await vault.seal(scope, EMBEDDING_CONTEXT, toStoredEmbedding(embedding))),
    checks: await Promise.all(
      Object.values(checks).map(async (check) => ({
        check,
        sealed: (await vault.seal(scope, sealContexts.check_data, check)).toString('base64'),
      })),
    ),
  }
}

async function publishFindings(
  tx: Sql,
  { payload, publish }: ClaimedMessage<typeof sessionSubmitted>,
  { checks, sealedFace }: SealedFindings,
): Promise<void> {
  const scope = scopeOf(payload)
  if (sealedFace) {
    await saveFace(tx, scope, { vendor_data: payload.vendor_data, status: 'processing', sealed: sealedFace })
  }
  for (const { check, sealed } of checks) {
    await publish(
      checkCompleted,
      {
        ...scope,
        round: payload.round,
        final: true,
        kind: check.kind,
        part: check.kind === 'duplicate' ? 'face' : null,
        status: check.status,
        sealed_check: sealed,
      },
      { orderingKey: scope.session_id },
    )
  }
}
