import type { ClaimedMessage, Consumption, EventMessage } from '@kyc/bus'
import {
  type Check,
  checkCompleted,
  type EvidenceRef,
  identityExtracted,
  type SubjectIdentity,
  sealContexts,
  type sessionSubmitted,
  toTimestamp,
} from '@kyc/common'
import { VaultKeyDestroyedError } from '@kyc/vault'
import { z } from 'zod'
import { ageCheck } from '../domain/age/age-check.ts'
import { evaluateDocument } from '../domain/document/evaluate-document.ts'
import { duplicateCheck, fingerprintText } from '../domain/duplicate/duplicate-check.ts'
import { normalizeAddress } from '../domain/ip/address.ts'
import { ipCheck } from '../domain/ip/ip-check.ts'
import { scenarioMatches, scenarioReading } from '../domain/test-scenario.ts'
import type { SessionScope, StoredSide } from '../store/document-sides.ts'
import { rulesEngine, type SessionChecks } from './context.ts'
import { documentCheck, documentInput } from './read-uploaded-document.ts'

type Message = EventMessage<typeof sessionSubmitted>
type Payload = Message['payload']

const clientAddress = z.object({ address: z.string() })

/** What is published about a submitted session: its sealed checks, and the sealed identity that the document proves. */
type Judgement = { checks: { check: Check; sealed: string }[]; sealedIdentity: string | null }

/**
 * Evaluates a submitted session (document, age, duplicate, address) and publishes the identity that the document
 * proves.
 */
export function judgeSubmittedSession(
  checks: SessionChecks,
): Consumption<typeof sessionSubmitted, Judgement> {
  return {
    prefetch: 4,
    prepare: async ({ payload }) => {
      try {
        return await judge(checks, payload)
      } catch (error) {
        // The session was purged in the meantime, so nothing about it may be written any more.
        if (!(error instanceof VaultKeyDestroyedError)) throw error
        checks.deps.logger.info('skipped the checks of a purged session', { session_id: payload.session_id })
        return null
      }
    },
    handle: (_tx, message, judgement) => publishJudgement(message, judgement),
  }
}

async function judge(checks: SessionChecks, payload: Payload): Promise<Judgement> {
  const { deps } = checks
  const scope = { app_id: payload.app_id, session_id: payload.session_id }
  const startedAt = deps.clock.now()
  const scenario = payload.environment === 'test' ? payload.test_scenario : null
  const sides = await sidesOf(checks, payload, scope, scenario, startedAt)
  const config = payload.config.steps
  const verdict =
    config.document.enabled && sides.length > 0 && scenario !== 'processing_error'
      ? evaluateDocument(documentInput(sides, config.document, startedAt))
      : null
  const subject = verdict?.subject ?? null
  const address = await addressOf(checks, payload, scope)
  const sealedIdentity =
    subject && (await deps.vault.seal(scope, sealContexts.identity, subject)).toString('base64')
  const seen = await registerSubmission(
    checks,
    payload,
    startedAt,
    await keyedHashes(checks, payload, subject, address),
  )

  const results: Check[] = []
  const timed = (kind: Check['kind'], result: Partial<Check>): Check => ({
    kind,
    status: 'error',
    score: null,
    data: {},
    warnings: [],
    attempts: 1,
    started_at: toTimestamp(startedAt),
    completed_at: toTimestamp(deps.clock.now()),
    engine: rulesEngine,
    ...result,
  })
  if (config.document.enabled) {
    results.push(verdict ? documentCheck(verdict, startedAt, deps.clock.now()) : timed('document', {}))
  }
  if (config.age.enabled) {
    const { date_of_birth = null, sources = {} } = subject?.identity ?? {}
    results.push(
      timed('age', ageCheck(date_of_birth, sources.date_of_birth ?? null, config.age.minimum, startedAt)),
    )
  }
  if (config.duplicate.enabled) {
    const matches = [...(scenario === null ? [] : scenarioMatches(scenario)), ...seen.matches]
    const { blocked } = seen
    results.push(
      timed('duplicate', duplicateCheck(matches, { blocked, action: config.duplicate.document_action })),
    )
  }
  if (config.ip.enabled) {
    results.push(
      timed(
        'ip',
        await ipCheck({
          address,
          lookUp: (known) => checks.addresses.lookUp(known),
          documentCountry: subject?.issuing_state ?? null,
          sessionsFromAddress24h: seen.sessionsFromAddress24h,
          changed: seen.addressChanged,
          config: config.ip,
        }),
      ),
    )
  }
  const sealed = await Promise.all(
    results.map(async (check) => ({
      check,
      sealed: (await deps.vault.seal(scope, sealContexts.check_data, check)).toString('base64'),
    })),
  )
  return { checks: sealed, sealedIdentity }
}

/**
 * Records the document and the address of a submitted session and finds the app's other sessions that used them. Runs
 * in its own short transaction, because the checks are sealed from its result and no transaction may wait for the
 * vault. A redelivery records the same rows again.
 */
async function registerSubmission(
  { deps, fingerprints, blocked, visits }: SessionChecks,
  payload: Payload,
  at: Date,
  hashes: Awaited<ReturnType<typeof keyedHashes>>,
) {
  const { duplicate, ip } = payload.config.steps
  const scope = { app_id: payload.app_id, session_id: payload.session_id }
  const fingerprint = duplicate.enabled ? hashes.fingerprint : null
  const addressHash = ip.enabled ? hashes.address : null
  return deps.database.transaction(async (tx) => {
    const matches = fingerprint
      ? await fingerprints.matchAndRemember(tx, scope, {
          fingerprint,
          vendor_data_hash: hashes.vendorData,
          at,
        })
      : []
    const visit = addressHash
      ? await visits.countAndRemember(tx, scope, { round: payload.round, address_hash: addressHash, at })
      : { sessions: 0, changed: false }
    return {
      matches,
      blocked: fingerprint !== null && (await blocked.has(tx, scope.app_id, fingerprint)),
      sessionsFromAddress24h: visit.sessions,
      addressChanged: visit.changed,
    }
  })
}

/** The sides as read at upload; reads photos now that were not read then because the reader was unavailable. */
async function sidesOf(
  checks: SessionChecks,
  payload: Payload,
  scope: SessionScope,
  scenario: string | null,
  now: Date,
): Promise<StoredSide[]> {
  const photos = payload.evidence.filter((ref) => ref.kind !== 'liveness_frame')
  if (!payload.config.steps.document.enabled) return []
  if (photos.length === 0) return scenario === null ? [] : [scriptedSide(scenario, payload.session_id, now)]
  const stored = await checks.sides.find(scope, payload.round)
  return Promise.all(
    photos.map(async (ref): Promise<StoredSide> => {
      const side = ref.kind === 'document_front' ? 'front' : 'back'
      const known = stored.find((item) => item.side === side && item.object_id === ref.object_id)
      return known ?? readNow(checks, scope, ref, side, now)
    }),
  )
}

/** The side of a test session that was advanced without photos, as its scenario defines it. */
const scriptedSide = (scenario: string, sessionId: string, now: Date): StoredSide => ({
  side: 'front',
  capture_method: 'camera',
  object_id: '',
  document_type: 'passport',
  country: null,
  reading: scenarioReading(scenario, sessionId, now),
})

async function readNow(
  { deps, reader }: SessionChecks,
  scope: SessionScope,
  ref: EvidenceRef,
  side: 'front' | 'back',
  now: Date,
): Promise<StoredSide> {
  return {
    side,
    capture_method: ref.capture_method,
    object_id: ref.object_id,
    document_type: ref.document_type ?? 'identity_card',
    country: ref.country,
    reading: await reader.read(await deps.vault.get(scope, ref.object_id), now),
  }
}

async function addressOf(
  { deps }: SessionChecks,
  payload: Payload,
  scope: SessionScope,
): Promise<string | null> {
  if (payload.sealed_client_address === null) return null
  const bytes = Buffer.from(payload.sealed_client_address, 'base64')
  const { address } = clientAddress.parse(await deps.vault.open(scope, sealContexts.client_address, bytes))
  return normalizeAddress(address)
}

async function keyedHashes(
  { deps: { vault } }: SessionChecks,
  { app_id, vendor_data }: Payload,
  subject: SubjectIdentity | null,
  address: string | null,
) {
  const text = subject && fingerprintText(subject)
  const [fingerprint, vendorData, addressHash] = await Promise.all([
    text === null ? null : vault.keyedHash({ app_id }, 'document.fingerprint', text),
    vendor_data === null ? null : vault.keyedHash({ app_id }, 'vendor.data', vendor_data),
    address === null ? null : vault.keyedHash({ app_id }, 'client.address', address),
  ])
  return { fingerprint, vendorData, address: addressHash }
}

async function publishJudgement(
  { payload, publish }: ClaimedMessage<typeof sessionSubmitted>,
  { checks, sealedIdentity }: Judgement,
): Promise<void> {
  const { app_id, session_id, round, environment, config, test_scenario } = payload
  const scope = { app_id, session_id }
  const options = { orderingKey: session_id }
  for (const { check, sealed } of checks) {
    await publish(
      checkCompleted,
      {
        ...scope,
        round,
        final: true,
        kind: check.kind,
        part: check.kind === 'duplicate' ? 'document' : null,
        status: check.status,
        sealed_check: sealed,
        sealed_identity: check.kind === 'document' ? sealedIdentity : null,
      },
      options,
    )
  }
  await publish(
    identityExtracted,
    { ...scope, round, environment, config, sealed_identity: sealedIdentity, test_scenario },
    options,
  )
}
