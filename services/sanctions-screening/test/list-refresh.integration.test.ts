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
import { Publishers } from './fixtures/publishers.ts'
import { manyUnXml } from './fixtures/un.ts'

const address = 'https://lists.example.org/un.xml'
const un = (count: number, day: string, first = 1) => ({
  body: manyUnXml(count, day, first),
  etag: `"${day}-${count}-${first}"`,
})

let clock: TestClock
let testDatabase: TestDatabase
let database: PooledDatabase
let prisma: Prisma
let store: ListStore
let publishers: Publishers
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
  store = new ListStore(prisma, database, clock)
  publishers = new Publishers()
  refreshDeps = createRefreshDeps()
  activeLists = createActiveLists()
})

function createRefreshDeps(): RefreshDeps {
  return {
    listStore: store,
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
    listStore: store,
    clock,
    logger: silentLogger,
    metrics: createMetrics('sanctions-screening'),
    staleAfterDays: 7,
  })
}

async function refreshed(options: { force?: boolean } = {}): Promise<ListInfo | undefined> {
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
  test('takes a first publication, serves it and says so once', async () => {
    publishers.answers.set(address, un(400, '2026-02-27'))
    expect(await refreshed()).toMatchObject({
      list: 'un_sc',
      entity_count: 400,
      status: 'ok',
      fetched_at: '2026-03-01T12:00:00Z',
    })
    expect(await events()).toEqual([
      expect.objectContaining({ list: 'un_sc', previous_version: null, added: 400, changed: 0, removed: 0 }),
    ])
  })

  test('asks again only after six hours, and then conditionally', async () => {
    publishers.answers.set(address, un(400, '2026-02-27'))
    await refreshed()
    clock.advance({ hours: 5 })
    await refreshed()
    expect(publishers.requests).toHaveLength(1)
    clock.advance({ hours: 1 })
    await refreshed()
    expect(publishers.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      '"2026-02-27-400-1"',
    ])
    expect((await store.findState('un_sc'))?.checkedAt).toEqual(clock.now())
    expect(await events()).toHaveLength(1)
  })

  test('fetches anew what is older than seven days, whatever the source says', async () => {
    publishers.answers.set(address, un(400, '2026-02-27'))
    await refreshed()
    clock.advance({ days: 7 })
    expect(await refreshed()).toMatchObject({ fetched_at: '2026-03-08T12:00:00Z' })
    expect(publishers.requests.at(-1)?.headers['if-none-match']).toBeUndefined()
  })

  test('asks at once on demand', async () => {
    publishers.answers.set(address, un(400, '2026-02-27'))
    await refreshed()
    await refreshed({ force: true })
    expect(publishers.requests).toHaveLength(2)
  })

  test('swaps in an update and lists exactly what it added, changed and removed', async () => {
    publishers.answers.set(address, un(400, '2026-02-27'))
    await refreshed()
    const first = await store.findState('un_sc')
    clock.advance({ hours: 6 })
    const body = manyUnXml(405, '2026-03-01', 4).replace(
      '<UN_LIST_TYPE>Test</UN_LIST_TYPE><REFERENCE_NUMBER>TSi.9<',
      '<UN_LIST_TYPE>Other</UN_LIST_TYPE><REFERENCE_NUMBER>TSi.9<',
    )
    publishers.answers.set(address, { body })
    expect(await refreshed()).toMatchObject({ entity_count: 405, status: 'ok' })
    const state = await store.findState('un_sc')
    const delta = await store.readDelta('un_sc', state?.version ?? '')
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
    expect(await store.readVersion('un_sc', first?.version ?? '')).toMatchObject({ version: first?.version })
  })

  test('the same content under another date is confirmed, not announced', async () => {
    publishers.answers.set(address, un(400, '2026-02-27'))
    const first = await refreshed()
    clock.advance({ hours: 6 })
    publishers.answers.set(address, un(400, '2026-03-01'))
    expect(await refreshed()).toMatchObject({
      version: first?.version,
      fetched_at: '2026-03-01T18:00:00Z',
      status: 'ok',
    })
    expect(await events()).toHaveLength(1)
  })

  test('keeps the newest versions and the one that serves', async () => {
    for (let round = 0; round < 5; round += 1) {
      publishers.answers.set(address, un(400 + round, '2026-02-27'))
      await refreshed({ force: true })
      clock.advance({ hours: 6 })
    }
    const { rows } = await database.query<{ entity_count: number }>(
      'SELECT entity_count FROM list_version ORDER BY created_at',
    )
    expect(rows.map((row) => row.entity_count)).toEqual([402, 403, 404])
  })
})

describe('a publication that must not be taken', () => {
  const cases = {
    truncated: { body: manyUnXml(400, '2026-03-01').slice(0, -500) },
    empty: { body: '' },
    html: { body: '<!doctype html><html>down</html>' },
    future: un(400, '2027-01-01'),
    older: un(401, '2026-01-01'),
    implausible_change: un(200, '2026-03-01'),
    download_failed: { status: 503, body: 'busy' },
  } as const

  test.each(Object.entries(cases))(
    '%s: the old list stays, with the reason in its status',
    async (code, answer) => {
      publishers.answers.set(address, un(400, '2026-02-27'))
      const before = await refreshed()
      clock.advance({ hours: 6 })
      publishers.answers.set(address, answer)
      expect(await refreshed()).toEqual({
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
      publishers.answers.set(address, { error: new OutboundError(code) })
      expect(await refreshed()).toBeUndefined()
      expect(activeLists.statuses(['un_sc', 'eu_fsf'])).toMatchObject([
        { list: 'un_sc', version: null, status: 'not_loaded', failure: { code: 'download_failed' } },
        { list: 'eu_fsf', version: null, status: 'not_loaded', checked_at: null },
      ])
    },
  )

  test('a connection that breaks off leaves nothing behind', async () => {
    publishers.answers.set(address, { ...un(400, '2026-02-27'), breaksOff: true })
    expect(await refreshed()).toBeUndefined()
    expect(await store.findState('un_sc')).toMatchObject({ failureCode: 'download_failed' })
  })

  test('is asked for again sooner, then less and less often, and recovers', async () => {
    publishers.answers.set(address, { status: 500 })
    await refreshed()
    clock.advance({ minutes: 10 })
    await refreshed()
    clock.advance({ minutes: 10 })
    await refreshed()
    expect(publishers.requests).toHaveLength(2)
    clock.advance({ minutes: 10 })
    publishers.answers.set(address, un(400, '2026-02-27'))
    expect(await refreshed()).toMatchObject({ status: 'ok', entity_count: 400 })
    expect(await store.findState('un_sc')).toMatchObject({ failures: 0, failureCode: null })
  })
})

describe('several replicas', () => {
  test('one of them downloads', async () => {
    publishers.answers.set(address, un(400, '2026-02-27'))
    const other = createRefreshDeps()
    const ran = await Promise.all([
      refreshLists(refreshDeps, { force: true }),
      refreshLists(other, { force: true }),
    ])
    expect(ran.filter((done) => done)).toHaveLength(1)
    expect(publishers.requests).toHaveLength(1)
  })

  test('the others serve what it stored, and each answer comes from one whole state', async () => {
    publishers.answers.set(address, un(400, '2026-02-27'))
    const replica = createActiveLists()
    await refreshed()
    await replica.sync()
    const held = replica.snapshot()
    clock.advance({ hours: 6 })
    publishers.answers.set(address, un(410, '2026-03-01'))
    await refreshed()
    await replica.sync()
    expect(held.lists[0]?.entities).toHaveLength(400)
    expect(replica.snapshot().lists[0]?.entities).toHaveLength(410)
  })

  test('a list that nobody could check for seven days is stale', async () => {
    publishers.answers.set(address, un(400, '2026-02-27'))
    await refreshed()
    clock.advance({ days: 8 })
    expect(activeLists.infos()[0]?.status).toBe('stale')
  })
})
