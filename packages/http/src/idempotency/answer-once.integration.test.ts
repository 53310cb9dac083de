import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { conflict, defineContract, UnavailableError, unprocessable } from '@kyc/common'
import { createMetrics, openDatabase, type PooledDatabase, silentLogger } from '@kyc/runtime'
import { createTestDatabase, TestClock, type TestDatabase } from '@kyc/testing'
import { createVault, folderStore, keysFromConfig } from '@kyc/vault'
import express from 'express'
import supertest from 'supertest'
import { z } from 'zod'
import {
  createIdentitySigner,
  createIdentityVerifier,
  generateIdentityKeys,
  identityHeader,
} from '../identity.ts'
import { type CallContext, mount } from '../mount.ts'
import { serviceApp } from '../service-app.ts'
import { createReplies, type Replies } from './replies.ts'
import { replyTableSql } from './reply-table.ts'

const common = { service: 'checks', caller: 'api_key', tag: 'Test', summary: 'Test', errors: [] } as const
const contract = defineContract({
  make: {
    ...common,
    method: 'post',
    path: '/shelves/:shelf/books',
    params: z.object({ shelf: z.string() }),
    body: z.strictObject({ title: z.string() }),
    success: {
      status: 201,
      body: z.object({ made: z.int(), title: z.string(), session_id: z.string().nullable() }),
    },
    idempotent: 'stored',
  },
  judge: {
    ...common,
    method: 'post',
    path: '/judge',
    body: z.strictObject({ title: z.string() }),
    success: { status: 200, body: z.object({ at: z.string(), runs: z.int() }) },
    idempotent: 'recomputed',
  },
})

let testDatabase: TestDatabase
let database: PooledDatabase
let folder: string
let replies: Replies
let sign: Awaited<ReturnType<typeof createIdentitySigner>>
let app: ReturnType<typeof serviceApp>
let vault: ReturnType<typeof createVault>
const clock = new TestClock()
/** The behaviour of the next handler call; `runs` counts the calls. */
let behave: () => Promise<unknown>
let runs = 0
let session: string | null

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'kyc-replies-'))
  const migrations = join(folder, 'migrations')
  await mkdir(join(migrations, '0001_first'), { recursive: true })
  await writeFile(join(migrations, '0001_first', 'migration.sql'), replyTableSql)
  database = await openDatabase({
    url: testDatabase.url,
    schema: 'example',
    migrations,
    logger: silentLogger,
  })
  const keys = keysFromConfig({
    current: { id: 'test', key: randomBytes(32).toString('base64') },
    previous: [],
  })
  vault = createVault({ store: folderStore(join(folder, 'vault')), keys, clock })
  replies = createReplies({ database, vault, clock })
  const identityKeys = await generateIdentityKeys()
  sign = await createIdentitySigner(identityKeys.privateKey, clock)
  const router = express.Router()
  const metrics = createMetrics('checks')
  mount(
    router,
    contract,
    {
      make: async ({ body }, { keyed }: CallContext) => {
        runs++
        await behave()
        const made = { made: runs, title: body.title, session_id: session }
        await database.transaction(async (tx) => keyed?.keepReply(tx, made))
        return made
      },
      judge: async (_input, { keyed }) => {
        runs++
        await behave()
        return { at: (keyed?.firstAt ?? clock.now()).toISOString(), runs }
      },
    },
    {
      verifyIdentity: await createIdentityVerifier(identityKeys.publicKey, 'checks', clock),
      logger: silentLogger,
      metrics,
      replies,
    },
  )
  app = serviceApp({ service: 'checks', logger: silentLogger, metrics, probes: [], routers: [router] })
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await database.query('DELETE FROM idempotent_reply')
  runs = 0
  session = null
  behave = async () => {}
})

const make = '/shelves/s/books'
async function post(
  path: string,
  options: { key?: string; title?: string; app_id?: string; key_id?: string } = {},
) {
  const { key = 'k', title = 'A Person', app_id = 'app_1', key_id = 'key_1' } = options
  const identity = { type: 'api_key', app_id, environment: 'test', key_id, address: null } as const
  return supertest(app)
    .post(path)
    .set({ [identityHeader]: await sign(identity, 'checks'), 'idempotency-key': key })
    .send({ title })
}
/** Makes the next handler call wait until `finish` is called. */
function holdNext() {
  let finish: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  const begun = new Promise<void>((resolve) => {
    behave = () => {
      resolve()
      return held
    }
  })
  return { begun, finish: () => finish() }
}
const rowsHeld = async () => (await database.query('SELECT * FROM idempotent_reply')).rows
const replayed = ({ headers }: supertest.Response) => headers['idempotent-replayed'] === 'true'

describe('a request under an idempotency key', () => {
  test('takes effect once; a repetition gets the same response, marked as a replay', async () => {
    const first = await post(make)
    const again = await post(make)
    expect([first.status, replayed(first), again.status, replayed(again), runs]).toEqual([
      201,
      false,
      201,
      true,
      1,
    ])
    expect(again.body).toEqual(first.body)
  })

  test('with another body is a conflict and has no effect', async () => {
    await post(make)
    const other = await post(make, { title: 'B' })
    expect([other.status, other.body.error.code, replayed(other), runs]).toEqual([409, 'conflict', false, 1])
    expect(other.headers['retry-after']).toBeUndefined()
  })

  test.each([make, '/judge'])('to %s gets retry-after while the first request is running', async (path) => {
    const { begun, finish } = holdNext()
    const first = post(path)
    await begun
    const second = await post(path)
    expect([second.status, second.headers['retry-after']]).toEqual([409, '1'])
    finish()
    expect((await first).status).toBeLessThan(300)
    expect(runs).toBe(1)
  })

  test.each<[string, { path?: string; key?: string; key_id?: string; app_id?: string }]>([
    ['another path', { path: '/shelves/other/books' }],
    ['another key', { key: 'other' }],
    ['another API key', { key_id: 'key_2' }],
    ['another app', { app_id: 'app_2' }],
  ])('is independent of %s', async (_, { path = make, ...options }) => {
    await post(make)
    const other = await post(path, options)
    expect([other.status, replayed(other), runs]).toEqual([201, false, 2])
  })

  test('expires after 24 hours, and its row is deleted', async () => {
    await post(make)
    clock.advance({ hours: 24 })
    expect(replayed(await post(make))).toBe(true)
    expect(await replies.prune()).toBe(0)
    clock.advance({ seconds: 1 })
    expect(await replies.prune()).toBe(1)
    expect(replayed(await post(make))).toBe(false)
  })

  test('rejected for its body leaves the key free, while a rejection by the operation is stored', async () => {
    const bad = await post(make, { title: 7 as unknown as string })
    expect(bad.status).toBe(400)
    behave = () => Promise.reject(unprocessable('title: is not a title.'))
    const refused = await post(make)
    behave = async () => {}
    const again = await post(make)
    expect([refused.status, again.status, replayed(again), runs]).toEqual([422, 422, true, 1])
    expect(again.body).toEqual(refused.body)
  })

  test.each([
    ['a failure of ours', new Error('no'), 500],
    ['a service that is full', new UnavailableError('full'), 503],
    ['a refusal that says when to come back', conflict('later', 1), 409],
  ])('after %s may run again', async (_, error, status) => {
    behave = () => Promise.reject(error)
    expect((await post(make)).status).toBe(status)
    behave = async () => {}
    const again = await post(make)
    expect([again.status, replayed(again)]).toEqual([201, false])
  })

  test('that was killed frees its key after a minute, and has no effect if it is still running', async () => {
    const { begun, finish } = holdNext()
    const first = post(make)
    await begun
    behave = async () => {}
    clock.advance({ seconds: 61 })
    const second = await post(make)
    expect([second.status, replayed(second)]).toEqual([201, false])
    finish()
    expect((await first).status).toBe(409)
    expect((await post(make)).body).toEqual(second.body)
  })

  test('sent twenty times concurrently takes effect once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(make)))
    expect(runs).toBe(1)
    for (const { status, body } of answers) expect(status === 409 || body.made === 1).toBe(true)
  })
})

describe('the stored reply', () => {
  test('contains neither key nor body nor response in clear text', async () => {
    await post(make, { key: 'order of A Person' })
    await post('/judge', { key: 'order of A Person' })
    const held = (await rowsHeld()).map((row) =>
      Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value))),
    )
    expect(held).toHaveLength(2)
    expect(JSON.stringify(held)).not.toContain('Person')
  })

  test('of a session cannot be opened after its purge, and a repetition has no effect', async () => {
    session = 'ses_1'
    await post(make)
    await vault.destroy({ app_id: 'app_1', session_id: 'ses_1' })
    const again = await post(make)
    expect([again.status, again.body.error.code, runs]).toEqual([409, 'conflict', 1])
  })

  test('of an operation that must store nothing has no body: the response is recomputed as of the first request', async () => {
    const first = await post('/judge')
    clock.advance({ hours: 3 })
    const again = await post('/judge')
    expect([again.body.at, replayed(again), again.body.runs]).toEqual([first.body.at, true, 2])
    expect(await rowsHeld()).toMatchObject([{ status: 200, sealed_body: null, session_id: null }])
  })

  test('of such an operation is not marked as a replay when the outcome differs', async () => {
    behave = () => Promise.reject(unprocessable('No model.'))
    expect((await post('/judge')).status).toBe(422)
    expect(replayed(await post('/judge'))).toBe(true)
    behave = async () => {}
    const now = await post('/judge')
    expect([now.status, replayed(now)]).toEqual([200, false])
  })
})
