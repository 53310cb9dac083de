import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createOutbox } from '@kyc/bus'
import {
  type Check,
  checkCompleted,
  check as checkSchema,
  type EventContract,
  emptyIdentity,
  identityExtracted,
  refreshLists,
  sanctionsListUpdated,
  sealContexts,
  sessionPurgeConfirmed,
  sessionPurged,
  sessionStatusChanged,
  workflowConfig,
} from '@kyc/common'
import { newId } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import type { z } from 'zod'
import { readSanctionsConfig, sanctionsScreeningSchema, sanctionsScreeningService } from '../src/service.ts'
import { manySdnCsv, sdnCsv } from './fixtures/ofac.ts'

const listed = 'TARSIDIAN VELMOOR ASHKAN'
let folder: string
let harness: ServiceHarness
let completed: { session_id: string; status: string; check: Check }[]
let purged: { deleted: Record<string, number> }[]
let onUpdate: (version: string) => void = () => {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-lists-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

beforeEach(() => {
  completed = []
  purged = []
})

async function start(directory = folder): Promise<void> {
  const config = readSanctionsConfig({ SANCTIONS_DIR: directory })
  harness = await startService(
    'sanctions-screening',
    sanctionsScreeningSchema,
    (deps) => sanctionsScreeningService(deps, config),
    {
      before: (bus) => {
        bus.subscribe(checkCompleted, {
          service: 'session',
          handle: async ({ payload }) => {
            const opened = await harness.deps.vault.open(
              payload,
              sealContexts.check_data,
              Buffer.from(payload.sealed_check, 'base64'),
            )
            completed.push({
              session_id: payload.session_id,
              status: payload.status,
              check: checkSchema.parse(opened),
            })
          },
        })
        bus.subscribe(sanctionsListUpdated, {
          service: 'console',
          handle: async ({ payload }) => onUpdate(payload.version),
        })
        bus.subscribe(sessionPurgeConfirmed, {
          service: 'session',
          handle: async ({ payload }) => void purged.push(payload),
        })
      },
    },
  )
}

interface Submission {
  name?: string | null
  dateOfBirth?: string
  aml?: Record<string, unknown>
  scenario?: string
  threshold?: number
}

/** Says `identity.extracted` of a new session, as the service that reads documents does. */
async function submit({ name = listed, dateOfBirth, aml = {}, scenario, threshold }: Submission) {
  const scope = { app_id: newId('app'), session_id: newId('session') }
  const identity = { ...emptyIdentity, full_name: name, date_of_birth: dateOfBirth ?? null }
  const sealed = await harness.deps.vault.seal(scope, sealContexts.identity, {
    identity,
    document_number: null,
    issuing_state: null,
  })
  const config = workflowConfig.parse({
    steps: { aml },
    ...(threshold === undefined ? {} : { review_threshold: threshold }),
  })
  await say(identityExtracted, {
    ...scope,
    round: 1,
    environment: 'test',
    config,
    sealed_identity: name === undefined ? null : sealed.toString('base64'),
    test_scenario: scenario ?? null,
  })
  return scope
}

async function say<C extends EventContract>(contract: C, payload: z.input<C['payload']>): Promise<void> {
  await harness.database.transaction((tx) =>
    createOutbox({ clock: harness.clock }).append(tx, contract, payload),
  )
  await harness.drain()
}

async function approve(scope: { app_id: string; session_id: string }, sequence: number): Promise<void> {
  await say(sessionStatusChanged, {
    ...scope,
    sequence,
    status: 'approved',
    previous_status: sequence === 1 ? 'processing' : 'in_review',
    decision_reason: null,
    vendor_data: null,
    workflow_id: newId('workflow'),
    sealed_decision: null,
    occurred_at: '2026-03-01T12:00:00Z',
  })
}

/** Puts a newer publication into the folder and waits until its update was told and heard. */
async function publish(name: string, content: string): Promise<void> {
  await writeFile(join(folder, name), content)
  const told = new Promise<void>((resolve) => {
    const day = name.match(/\d{4}-\d{2}-\d{2}/)?.[0] ?? ''
    onUpdate = (version) => {
      if (version.startsWith(day)) resolve()
    }
  })
  await harness.bus.request(refreshLists, {})
  await told
  // The first waits for the handlers at work, the second for what they said.
  await harness.drain()
  await harness.drain()
}

describe('the aml check of a session', () => {
  beforeAll(async () => {
    await writeFile(join(folder, 'sdn_2026-02-01.csv'), sdnCsv)
    await start()
  })
  afterAll(() => harness.close())

  test('warns of a potential match, with the matches to review and the lists that were searched', async () => {
    await submit({ dateOfBirth: '1950-06-05' })
    expect(completed).toHaveLength(1)
    const [{ check } = { check: null }] = completed
    expect(check).toMatchObject({
      kind: 'aml',
      status: 'warning',
      score: 1,
      warnings: [{ code: 'aml_potential_match', severity: 'medium' }],
    })
    expect(check?.data).toMatchObject({
      threshold: 0.82,
      lists: [{ list: 'us_ofac_sdn', status: 'ok' }],
      matches: [
        {
          entity_id: '70001',
          date_of_birth_match: true,
          review: { status: 'unreviewed', reviewed_by: null },
        },
      ],
    })
  })

  test('passes a person on no list, with score 0', async () => {
    await submit({ name: 'UBYCHANIN ONDREJ' })
    expect(completed[0]?.check).toMatchObject({
      status: 'passed',
      score: 0,
      warnings: [],
      data: { matches: [] },
    })
  })

  test('applies the workflow’s threshold and lists', async () => {
    await submit({ name: 'TARSIDION VELMOUR ASKAN', threshold: 1 })
    await submit({ aml: { lists: ['un_sc'] } })
    expect(completed[0]?.check.data).toMatchObject({ threshold: 1, matches: [] })
    expect(completed[1]?.check).toMatchObject({ status: 'error', warnings: [{ code: 'lists_not_loaded' }] })
  })

  test('says that there was no name', async () => {
    await submit({ name: null })
    expect(completed[0]?.check).toMatchObject({
      status: 'warning',
      warnings: [{ code: 'insufficient_identity_data' }],
    })
  })

  test('is not made where the workflow has it off', async () => {
    await submit({ aml: { enabled: false } })
    expect(completed).toHaveLength(0)
  })

  test('follows a test scenario, whatever lists are loaded', async () => {
    await submit({ name: 'UBYCHANIN ONDREJ', scenario: 'aml_match' })
    await submit({ scenario: 'approved' })
    expect(completed.map(({ status }) => status)).toEqual(['warning', 'passed'])
  })

  test('a purged session is forgotten and confirmed', async () => {
    const scope = await submit({ name: 'UBYCHANIN ONDREJ', aml: { monitor: true } })
    await say(sessionPurged, { ...scope, purged_at: '2026-03-01T12:00:00Z' })
    expect(purged).toEqual([expect.objectContaining({ deleted: { monitored_sessions: 1 } })])
    const { rows } = await harness.database.query('SELECT 1 FROM monitored_session')
    expect(rows).toEqual([])
  })
})

describe('the aml check without lists', () => {
  test('is an error when no list is loaded, never a pass', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'kyc-none-'))
    await start(empty)
    await submit({})
    expect(completed[0]?.check).toMatchObject({
      status: 'error',
      score: null,
      warnings: [{ code: 'lists_not_loaded', severity: 'high' }],
    })
    await harness.close()
    await rm(empty, { recursive: true })
  })
})

describe('ongoing monitoring', () => {
  beforeEach(async () => {
    await rm(folder, { recursive: true })
    await mkdir(folder)
    await writeFile(join(folder, 'sdn_2026-02-01.csv'), sdnCsv)
    await start()
  })
  afterEach(() => harness.close())

  const person = '71000,"UBYCHANIN, Ondrej","individual","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n'

  test('tells an approved session of a new match once', async () => {
    const scope = await submit({ name: 'UBYCHANIN ONDREJ', aml: { monitor: true } })
    await approve(scope, 1)
    await publish('sdn_2026-02-02.csv', person + sdnCsv)
    expect(completed.map(({ session_id, status }) => [session_id, status])).toEqual([
      [scope.session_id, 'passed'],
      [scope.session_id, 'warning'],
    ])
    expect(completed[1]?.check.data).toMatchObject({ matches: [{ entity_id: '71000' }] })
    await approve(scope, 2)
    await publish('sdn_2026-02-03.csv', person.replace('"SDGT"', '"SDGT] [IFSR"') + sdnCsv)
    expect(completed).toHaveLength(2)
  })

  test('leaves alone sessions that are not approved, or whose workflow does not ask for it', async () => {
    await submit({ name: 'UBYCHANIN ONDREJ', aml: { monitor: true } })
    await approve(await submit({ name: 'UBYCHANIN ONDREJ' }), 1)
    await publish('sdn_2026-02-02.csv', person + sdnCsv)
    expect(completed).toHaveLength(2)
  })

  test('an update without this person tells nothing', async () => {
    await approve(await submit({ name: 'UBYCHANIN ONDREJ', aml: { monitor: true } }), 1)
    await publish('sdn_2026-02-02.csv', manySdnCsv(20).replace('\u001a', '') + sdnCsv)
    expect(completed).toHaveLength(1)
  })
})
