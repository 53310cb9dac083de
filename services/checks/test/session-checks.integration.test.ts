import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createOutbox } from '@kyc/bus'
import {
  blockSessionDocument,
  type Check,
  checkCompleted,
  check as checkSchema,
  defaultWorkflowConfig,
  type EventContract,
  identityExtracted,
  listBlockedDocuments,
  readUploadedDocument,
  sealContexts,
  sessionPurgeConfirmed,
  sessionPurged,
  sessionStatusChanged,
  sessionSubmitted,
  subjectIdentity,
  toTimestamp,
  unblockSessionDocument,
  type WorkflowConfig,
} from '@kyc/common'
import { newId } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import type { z } from 'zod'
import type { SideReading } from '../src/domain/document/side-reading.ts'
import { scenarioReading } from '../src/domain/test-scenario.ts'
import type { DocumentReader } from '../src/reading/document-reader.ts'
import { checksSchema, checksService, readChecksConfig } from '../src/service.ts'

/** Replaces the models: the photo's bytes name the document that it shows. */
const reader: DocumentReader = {
  read: async (image, today): Promise<SideReading> => {
    const [scenario = '', holder = ''] = Buffer.from(image).toString().split(':')
    return scenarioReading(scenario, holder, today)
  },
}

type Spoken = { name: string; session_id: string; payload: Record<string, unknown> }
const spoken: Spoken[] = []
let harness: ServiceHarness

beforeAll(async () => {
  harness = await startService(
    'checks',
    checksSchema,
    (deps) => checksService(deps, readChecksConfig({}), reader),
    {
      before: (bus) => {
        for (const contract of [checkCompleted, identityExtracted, sessionPurgeConfirmed]) {
          bus.subscribe(contract, {
            service: 'session',
            handle: async ({ payload }) => {
              spoken.push({ name: contract.name, session_id: payload.session_id, payload })
            },
          })
        }
      },
    },
  )
})
afterAll(() => harness?.close())
beforeEach(() => {
  spoken.length = 0
})

const newScope = (app_id = newId('app')) => ({ app_id, session_id: newId('session') })
type Scope = ReturnType<typeof newScope>

async function upload(scope: Scope, content: string, options: { last_attempt?: boolean } = {}) {
  const object = newId('object')
  await harness.deps.vault.put(scope, object, Buffer.from(content), { contentType: 'image/jpeg' })
  const answer = await harness.bus.request(readUploadedDocument, {
    ...scope,
    round: 1,
    environment: 'live',
    object_id: object,
    side: 'front',
    document_type: 'passport',
    country: null,
    capture_method: 'camera',
    last_attempt: options.last_attempt ?? false,
    config: defaultWorkflowConfig(),
    test_scenario: null,
  })
  return { ...answer, object_id: object }
}

async function submit(
  scope: Scope,
  objectId: string | null,
  options: { config?: WorkflowConfig; vendor_data?: string; address?: string } = {},
) {
  const sealed =
    options.address &&
    (await harness.deps.vault.seal(scope, sealContexts.client_address, { address: options.address }))
  await speak(sessionSubmitted, {
    ...scope,
    round: 1,
    environment: 'live',
    workflow_id: newId('workflow'),
    config: options.config ?? defaultWorkflowConfig(),
    vendor_data: options.vendor_data ?? null,
    evidence:
      objectId === null
        ? []
        : [
            {
              kind: 'document_front',
              object_id: objectId,
              sha256: '0'.repeat(64),
              capture_method: 'camera',
              document_type: 'passport',
              country: null,
            },
          ],
    sealed_client_address: sealed ? sealed.toString('base64') : null,
    submitted_at: toTimestamp(harness.clock.now()),
    test_scenario: null,
  })
}

async function speak<C extends EventContract>(contract: C, payload: z.input<C['payload']>) {
  const outbox = createOutbox({ clock: harness.clock })
  await harness.database.transaction((tx) => outbox.append(tx, contract, payload))
  await harness.drain()
}

async function finalCheck(scope: Scope, kind: Check['kind']): Promise<Check> {
  const told = spoken.filter(
    ({ name, session_id, payload }) =>
      name === checkCompleted.name &&
      session_id === scope.session_id &&
      payload.kind === kind &&
      payload.final,
  )
  expect(told).toHaveLength(1)
  const bytes = Buffer.from(String(told[0]!.payload.sealed_check), 'base64')
  return checkSchema.parse(await harness.deps.vault.open(scope, sealContexts.check_data, bytes))
}

describe('a photo at upload', () => {
  test('is accepted when its MRZ is valid, without a request for the back of a passport', async () => {
    const answer = await upload(newScope(), 'approved:a')
    expect(answer).toMatchObject({ accepted: true, issues: [], needs_back: false })
  })

  test('is rejected with advice for a better photo, and accepted with its issues at the last attempt', async () => {
    const scope = newScope()
    expect(await upload(scope, 'document_blurry:a')).toMatchObject({
      accepted: false,
      issues: [{ code: 'image_blurry' }],
    })
    expect(await upload(scope, 'document_blurry:a', { last_attempt: true })).toMatchObject({
      accepted: true,
      issues: [{ code: 'image_blurry' }],
    })
  })
})

describe('a submitted session', () => {
  test('gets every check of its workflow and its identity, sealed', async () => {
    const scope = newScope()
    const { object_id } = await upload(scope, 'approved:b')
    await submit(scope, object_id, { address: '8.8.8.8' })
    expect(await finalCheck(scope, 'document')).toMatchObject({ status: 'passed', data: { mrz_valid: true } })
    expect(await finalCheck(scope, 'duplicate')).toMatchObject({
      status: 'passed',
      data: { document_matches: [] },
    })
    expect(await finalCheck(scope, 'ip')).toMatchObject({
      status: 'passed',
      data: { address_masked: '8.8.8.*', country: 'USA', sessions_from_address_24h: 1 },
    })
    const [told] = spoken.filter(({ name }) => name === identityExtracted.name)
    const bytes = Buffer.from(String(told!.payload.sealed_identity), 'base64')
    const subject = subjectIdentity.parse(await harness.deps.vault.open(scope, sealContexts.identity, bytes))
    expect(subject.identity).toMatchObject({ full_name: 'ALEX TESTPERSON', sources: { full_name: 'mrz' } })
    expect(JSON.stringify(spoken)).not.toContain('TESTPERSON')
  })

  test('is read on submission when its photo was not read at upload', async () => {
    const scope = newScope()
    const object = newId('object')
    await harness.deps.vault.put(scope, object, Buffer.from('document_expired:c'), {
      contentType: 'image/jpeg',
    })
    await submit(scope, object)
    const check = await finalCheck(scope, 'document')
    expect([check.status, check.warnings.map((w) => w.code)]).toEqual(['failed', ['document_expired']])
  })

  test('is not a duplicate of itself when it is submitted again', async () => {
    const scope = newScope()
    const { object_id } = await upload(scope, 'approved:d')
    await submit(scope, object_id)
    await submit(scope, object_id)
    const duplicates = spoken.filter(({ payload }) => payload.kind === 'duplicate')
    expect(duplicates.map(({ payload }) => payload.status)).toEqual(['passed', 'passed'])
  })
})

describe('the document duplicate search', () => {
  test('finds another session of the app with the same document, and its status', async () => {
    const first = newScope()
    const second = newScope(first.app_id)
    await submit(first, (await upload(first, 'approved:same')).object_id)
    await speak(sessionStatusChanged, {
      ...first,
      sequence: 4,
      status: 'approved',
      previous_status: 'processing',
      decision_reason: null,
      vendor_data: null,
      workflow_id: newId('workflow'),
      sealed_decision: null,
      occurred_at: toTimestamp(harness.clock.now()),
    })
    await submit(second, (await upload(second, 'approved:same')).object_id)
    const check = await finalCheck(second, 'duplicate')
    expect([check.status, check.data.document_matches]).toEqual([
      'warning',
      [{ session_id: first.session_id, status: 'approved' }],
    ])
  })

  test('finds nothing in another app, with the same vendor_data, or of a purged session', async () => {
    const first = newScope()
    await submit(first, (await upload(first, 'approved:once')).object_id, { vendor_data: 'customer-1' })
    const stranger = newScope()
    await submit(stranger, (await upload(stranger, 'approved:once')).object_id)
    expect((await finalCheck(stranger, 'duplicate')).data.document_matches).toEqual([])
    const again = newScope(first.app_id)
    await submit(again, (await upload(again, 'approved:once')).object_id, { vendor_data: 'customer-1' })
    expect((await finalCheck(again, 'duplicate')).data.document_matches).toEqual([])
    for (const scope of [first, again]) {
      await speak(sessionPurged, { ...scope, purged_at: toTimestamp(harness.clock.now()) })
    }
    const later = newScope(first.app_id)
    await submit(later, (await upload(later, 'approved:once')).object_id)
    expect((await finalCheck(later, 'duplicate')).data.document_matches).toEqual([])
  })
})

describe('the block list of documents', () => {
  const judged = async (app_id: string, document: string) => {
    const scope = newScope(app_id)
    const config = defaultWorkflowConfig()
    config.steps.duplicate.document_action = 'none'
    await submit(scope, (await upload(scope, document)).object_id, { config })
    return { scope, check: await finalCheck(scope, 'duplicate') }
  }

  test("blocks a document whatever the workflow's action is, also after a purge of its session, until it is unblocked", async () => {
    const app_id = newId('app')
    const { scope } = await judged(app_id, 'approved:blocked')
    const entry = await harness.bus.request(blockSessionDocument, scope)
    expect(await harness.bus.request(blockSessionDocument, scope)).toEqual(entry)
    await speak(sessionPurged, { ...scope, purged_at: toTimestamp(harness.clock.now()) })

    const again = (await judged(app_id, 'approved:blocked')).check
    expect(again.status).toBe('failed')
    expect(again.warnings.map(({ code }) => code)).toContain('document_blocklisted')
    const others = [await judged(app_id, 'approved:other'), await judged(newId('app'), 'approved:blocked')]
    expect(others.map(({ check }) => check.status)).toEqual(['passed', 'passed'])

    const missing = { code: 'not_found' }
    await expect(
      harness.bus.request(unblockSessionDocument, { app_id: newId('app'), id: entry.id }),
    ).rejects.toMatchObject(missing)
    expect(await harness.bus.request(listBlockedDocuments, { app_id })).toEqual({ data: [entry] })
    await harness.bus.request(unblockSessionDocument, { app_id, id: entry.id })
    expect(await harness.bus.request(listBlockedDocuments, { app_id })).toEqual({ data: [] })
    expect((await judged(app_id, 'approved:blocked')).check.status).toBe('passed')
  })

  test('rejects a session without a document, and a session of another app', async () => {
    const scope = newScope()
    await submit(scope, null)
    const missing = { code: 'not_found' }
    await expect(harness.bus.request(blockSessionDocument, scope)).rejects.toMatchObject(missing)
    const { scope: known } = await judged(newId('app'), 'approved:known')
    await expect(
      harness.bus.request(blockSessionDocument, { ...known, app_id: newId('app') }),
    ).rejects.toMatchObject(missing)
  })
})

test('a purge deletes the readings and confirms the deletion', async () => {
  const scope = newScope()
  await submit(scope, (await upload(scope, 'approved:e')).object_id, { address: '8.8.4.4' })
  await speak(sessionPurged, { ...scope, purged_at: toTimestamp(harness.clock.now()) })
  const [told] = spoken.filter(({ name }) => name === sessionPurgeConfirmed.name)
  expect(told!.payload).toMatchObject({
    service: 'checks',
    deleted: { document_sides: 1, document_fingerprints: 1, client_visits: 1 },
  })
})

test('age is determined from the birth date of the document', async () => {
  const config = defaultWorkflowConfig()
  config.steps.age = { enabled: true, minimum: 18 }
  const scope = newScope()
  await submit(scope, (await upload(scope, 'underage:f')).object_id, { config })
  const check = await finalCheck(scope, 'age')
  expect([check.status, check.data.age, check.data.basis]).toEqual(['failed', 15, 'mrz'])
})
