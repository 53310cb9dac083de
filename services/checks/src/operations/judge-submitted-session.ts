import { type EventMessage, inbox } from '@kyc/bus'
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
import type { Sql } from '@kyc/runtime'
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

export const consumerName = 'checks.session.submitted'
const clientAddress = z.object({ address: z.string() })

/** Judges a submitted session: document, age, duplicate, address; and tells the identity that the document proves. */
export async function judgeSubmitted(checks: SessionChecks, message: Message): Promise<void> {
  try {
    await judge(checks, message)
  } catch (error) {
    // Purged meanwhile: nothing of the session may be written any more.
    if (!(error instanceof VaultKeyDestroyedError)) throw error
    checks.deps.logger.info('a purged session is not judged', { session_id: message.payload.session_id })
  }
}

async function judge(checks: SessionChecks, message: Message): Promise<void> {
  const { deps } = checks
  const { payload } = message
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
  const hashes = await keyedHashes(checks, payload, subject, address)

  await deps.database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, consumerName, message.id))) return
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
      const matches = hashes.fingerprint
        ? await checks.fingerprints.matchAndRemember(tx, scope, {
            fingerprint: hashes.fingerprint,
            vendor_data_hash: hashes.vendorData,
            at: startedAt,
          })
        : []
      const all = [...(scenario === null ? [] : scenarioMatches(scenario)), ...matches]
      const blocked =
        hashes.fingerprint !== null && (await checks.blocked.has(tx, scope.app_id, hashes.fingerprint))
      results.push(
        timed('duplicate', duplicateCheck(all, { blocked, action: config.duplicate.document_action })),
      )
    }
    if (config.ip.enabled)
      results.push(timed('ip', await judgeAddress(checks, tx, payload, address, hashes.address, subject)))
    await tell(checks, tx, message, results, sealedIdentity)
  })
}

/** The sides as read at upload; a photo that was not read then (its reader was away) is read now. */
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

/** A test session that was advanced without photos: the scenario says what one would show. */
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

async function judgeAddress(
  { addresses, visits, deps }: SessionChecks,
  tx: Sql,
  payload: Payload,
  address: string | null,
  addressHash: string | null,
  subject: SubjectIdentity | null,
) {
  const seen =
    addressHash === null
      ? { sessions: 0, changed: false }
      : await visits.countAndRemember(tx, payload, {
          round: payload.round,
          address_hash: addressHash,
          at: deps.clock.now(),
        })
  return ipCheck({
    address,
    lookUp: (known) => addresses.lookUp(known),
    documentCountry: subject?.issuing_state ?? null,
    sessionsFromAddress24h: seen.sessions,
    changed: seen.changed,
    config: payload.config.steps.ip,
  })
}

async function tell(
  { deps, outbox }: SessionChecks,
  tx: Sql,
  { payload, traceparent, correlationId }: Message,
  results: readonly Check[],
  sealedIdentity: string | null,
): Promise<void> {
  const { app_id, session_id, round, environment, config, test_scenario } = payload
  const scope = { app_id, session_id }
  const options = { orderingKey: session_id, traceparent, correlationId }
  for (const check of results) {
    const sealed = await deps.vault.seal(scope, sealContexts.check_data, check)
    await outbox.append(
      tx,
      checkCompleted,
      {
        ...scope,
        round,
        final: true,
        kind: check.kind,
        part: check.kind === 'duplicate' ? 'document' : null,
        status: check.status,
        sealed_check: sealed.toString('base64'),
        sealed_identity: check.kind === 'document' ? sealedIdentity : null,
      },
      options,
    )
  }
  await outbox.append(
    tx,
    identityExtracted,
    { ...scope, round, environment, config, sealed_identity: sealedIdentity, test_scenario },
    options,
  )
}
