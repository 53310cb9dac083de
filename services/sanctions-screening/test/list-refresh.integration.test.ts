import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type ListInfo, sanctionsListUpdated } from '@kyc/common'
import { OutboundError } from '@kyc/outbound'
import { createMetrics, openDatabase, type PooledDatabase, silentLogger } from '@kyc/runtime'
import { createTestDatabase, TestClock, type TestDatabase } from '@kyc/testing'
import { listSources } from '../src/lists/sources.ts'
import { createRejectionCounter, type RefreshDeps } from '../src/operations/deps.ts'
import { refreshLists } from '../src/operations/refresh-lists.ts'
import { sanctionsScreeningSchema } from '../src/service.ts'
import { ActiveLists } from '../src/serving/active-lists.ts'
import { FolderReadings } from '../src/store/folder-readings.ts'
import { ListStore } from '../src/store/lists.ts'
import { createPrisma, type Prisma } from '../src/store/prisma.ts'
import { FakePublishers } from './fixtures/publishers.ts'
import { manyUnXml } from './fixtures/un.ts'

const address = 'https://lists.example.org/un.xml'
const unList = (count: number, day: string, first = 1) => ({
  body: manyUnXml(count, day, first),
  etag: `"${day}-${count}-${first}"`,
})

let clock: TestClock
let testDatabase: TestDatabase
let database: PooledDatabase
let prisma: Prisma
let listStore: ListStore
let publishers: FakePublishers
let refreshDeps: RefreshDeps
let activeLists: ActiveLists

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase({ url: testDatabase.url, ...sanctionsScreeningSchema, logger: silentLogger })
  prisma = createPrisma(database)
})

afterAll(async () => {
  await prisma.$disconnect()
  await database.close()
  await testDatabase.drop()
})

beforeEach(async () => {
  await database.query('TRUNCATE list_state, list_version, outbox')
  clock = new TestClock('2026-03-01T12:00:00Z')
  listStore = new ListStore(prisma, database, clock)
  publishers = new FakePublishers()
  refreshDeps = createRefreshDeps()
  activeLists = createActiveLists()
})

function createRefreshDeps(): RefreshDeps {
  return {
    listStore: listStore,
    folderReadings: new FolderReadings(prisma, clock),
    database,
    outbound: publishers,
    clock,
    logger: silentLogger,
    rejections: createRejectionCounter(createMetrics('sanctions-screening')),
    listFolder: undefined,
    packKey: null,
    sources: listSources({ lists: ['un_sc'], mirrors: [`un_sc=${address}`], redirectHosts: [] }),
    schedule: { checkHours: 6, refetchDays: 7 },
    keepVersions: 3,
    random: () => 0,
  }
}

function createActiveLists(): ActiveLists {
  return new ActiveLists({
    listStore: listStore,
    clock,
    logger: silentLogger,
    metrics: createMetrics('sanctions-screening'),
    staleAfterDays: 7,
  })
}

async function refreshAndLoad(options: { force?: boolean } = {}): Promise<ListInfo | undefined> {
  await refreshLists(refreshDeps, options)
  await activeLists.sync()
  return activeLists.infos()[0]
}

async function events(): Promise<unknown[]> {
  const { rows } = await database.query<{ payload: unknown }>(
    'SELECT payload FROM outbox WHERE name = $1 ORDER BY seq',
    [sanctionsListUpdated.name],
  )
  return rows.map((row) => row.payload)
}

describe('refreshing a list', () => {
  test('activates a first publication and publishes one event', async () => {
    publishers.responses.set(address, unList(400, '2026-02-27'))
    expect(await refreshAndLoad()).toMatchObject({
      list: 'un_sc',
      entity_count: 400,
      status: 'ok',
      fetched_at: '2026-03-01T12:00:00Z',
    })
    expect(await events()).toEqual([
      expect.objectContaining({ list: 'un_sc', previous_version: null, added: 400, changed: 0, removed: 0 }),
    ])
  })

  test('checks again only after six hours, with a conditional request', async () => {
    publishers.responses.set(address, unList(400, '2026-02-27'))
    await refreshAndLoad()
    clock.advance({ hours: 5 })
    await refreshAndLoad()
    expect(publishers.requests).toHaveLength(1)
    clock.advance({ hours: 1 })
    await refreshAndLoad()
    expect(publishers.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      '"2026-02-27-400-1"',
    ])
    expect((await listStore.findState('un_sc'))?.checkedAt).toEqual(clock.now())
    expect(await events()).toHaveLength(1)
  })

  test('downloads a list older than seven days unconditionally', async () => {
    publishers.responses.set(address, unList(400, '2026-02-27'))
    await refreshAndLoad()
    clock.advance({ days: 7 })
    expect(await refreshAndLoad()).toMatchObject({ fetched_at: '2026-03-08T12:00:00Z' })
    expect(publishers.requests.at(-1)?.headers['if-none-match']).toBeUndefined()
  })

  test('checks immediately on demand', async () => {
    publishers.responses.set(address, unList(400, '2026-02-27'))
    await refreshAndLoad()
    await refreshAndLoad({ force: true })
    expect(publishers.requests).toHaveLength(2)
  })

  test('activates an update and records exactly what it added, changed and removed', async () => {
    publishers.responses.set(address, unList(400, '2026-02-27'))
    await refreshAndLoad()
    const first = await listStore.findState('un_sc')
    clock.advance({ hours: 6 })
    const body = manyUnXml(405, '2026-03-01', 4).replace(
      '<UN_LIST_TYPE>Test</UN_LIST_TYPE><REFERENCE_NUMBER>TSi.9<',
      '<UN_LIST_TYPE>Other</UN_LIST_TYPE><REFERENCE_NUMBER>TSi.9<',
    )
    publishers.responses.set(address, { body })
    expect(await refreshAndLoad()).toMatchObject({ entity_count: 405, status: 'ok' })
    const state = await listStore.findState('un_sc')
    const delta = await listStore.readDelta('un_sc', state?.version ?? '')
    expect(delta).toEqual({
      added: Array.from({ length: 8 }, (_, i) => `TSi.${401 + i}`),
      changed: ['TSi.9'],
      removed: ['TSi.1', 'TSi.2', 'TSi.3'],
    })
    expect((await events())[1]).toMatchObject({
      previous_version: first?.version,
      added: 8,
      changed: 1,
      removed: 3,
    })
    expect(await listStore.readVersion('un_sc', first?.version ?? '')).toMatchObject({
      version: first?.version,
    })
  })

  test('marks the same content with another date as unchanged, without an event', async () => {
    publishers.responses.set(address, unList(400, '2026-02-27'))
    const first = await refreshAndLoad()
    clock.advance({ hours: 6 })
    publishers.responses.set(address, unList(400, '2026-03-01'))
    expect(await refreshAndLoad()).toMatchObject({
      version: first?.version,
      fetched_at: '2026-03-01T18:00:00Z',
      status: 'ok',
    })
    expect(await events()).toHaveLength(1)
  })

  test('retains the newest versions and the active one', async () => {
    for (let round = 0; round < 5; round += 1) {
      publishers.responses.set(address, unList(400 + round, '2026-02-27'))
      await refreshAndLoad({ force: true })
      clock.advance({ hours: 6 })
    }
    const { rows } = await database.query<{ entity_count: number }>(
      'SELECT entity_count FROM list_version ORDER BY created_at',
    )
    expect(rows.map((row) => row.entity_count)).toEqual([402, 403, 404])
  })
})

describe('a publication that must not be activated', () => {
  const cases = {
    truncated: { body: manyUnXml(400, '2026-03-01').slice(0, -500) },
    empty: { body: '' },
    html: { body: '<!doctype html><html>down</html>' },
    future: unList(400, '2027-01-01'),
    older: unList(401, '2026-01-01'),
    implausible_change: unList(200, '2026-03-01'),
    download_failed: { status: 503, body: 'busy' },
  } as const

  test.each(Object.entries(cases))(
    '%s: the active version stays, with the reason in its status',
    async (code, answer) => {
      publishers.responses.set(address, unList(400, '2026-02-27'))
      const before = await refreshAndLoad()
      clock.advance({ hours: 6 })
      publishers.responses.set(address, answer)
      expect(await refreshAndLoad()).toEqual({
        ...before,
        status: 'error',
        failure: { code, message: expect.stringMatching(/\S/), at: '2026-03-01T18:00:00Z', attempts: 1 },
      })
      expect(await events()).toHaveLength(1)
    },
  )

  test.each(['timeout', 'too_large', 'destination_refused'] as const)(
    'a download that ends with %s counts as failed',
    async (code) => {
      publishers.responses.set(address, { error: new OutboundError(code) })
      expect(await refreshAndLoad()).toBeUndefined()
      expect(activeLists.statuses(['un_sc', 'eu_fsf'])).toMatchObject([
        { list: 'un_sc', version: null, status: 'not_loaded', failure: { code: 'download_failed' } },
        { list: 'eu_fsf', version: null, status: 'not_loaded', checked_at: null },
      ])
    },
  )

  test('an interrupted connection stores no list', async () => {
    publishers.responses.set(address, { ...unList(400, '2026-02-27'), disconnects: true })
    expect(await refreshAndLoad()).toBeUndefined()
    expect(await listStore.findState('un_sc')).toMatchObject({ failureCode: 'download_failed' })
  })

  test('is retried with exponential backoff, and recovers', async () => {
    publishers.responses.set(address, { status: 500 })
    await refreshAndLoad()
    clock.advance({ minutes: 10 })
    await refreshAndLoad()
    clock.advance({ minutes: 10 })
    await refreshAndLoad()
    expect(publishers.requests).toHaveLength(2)
    clock.advance({ minutes: 10 })
    publishers.responses.set(address, unList(400, '2026-02-27'))
    expect(await refreshAndLoad()).toMatchObject({ status: 'ok', entity_count: 400 })
    expect(await listStore.findState('un_sc')).toMatchObject({ failures: 0, failureCode: null })
  })
})

describe('several replicas', () => {
  test('only one of them downloads', async () => {
    publishers.responses.set(address, unList(400, '2026-02-27'))
    const other = createRefreshDeps()
    const ran = await Promise.all([
      refreshLists(refreshDeps, { force: true }),
      refreshLists(other, { force: true }),
    ])
    expect(ran.filter((done) => done)).toHaveLength(1)
    expect(publishers.requests).toHaveLength(1)
  })

  test('the others load what it stored, and a snapshot never changes', async () => {
    publishers.responses.set(address, unList(400, '2026-02-27'))
    const replica = createActiveLists()
    await refreshAndLoad()
    await replica.sync()
    const held = replica.snapshot()
    clock.advance({ hours: 6 })
    publishers.responses.set(address, unList(410, '2026-03-01'))
    await refreshAndLoad()
    await replica.sync()
    expect(held.lists[0]?.entities).toHaveLength(400)
    expect(replica.snapshot().lists[0]?.entities).toHaveLength(410)
  })

  test('a list without a successful check for seven days is stale', async () => {
    publishers.responses.set(address, unList(400, '2026-02-27'))
    await refreshAndLoad()
    clock.advance({ days: 8 })
    expect(activeLists.infos()[0]?.status).toBe('stale')
  })
})
