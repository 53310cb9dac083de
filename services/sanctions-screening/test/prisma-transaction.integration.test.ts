import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createOutbox, inbox } from '@kyc/bus'
import { sanctionsListUpdated } from '@kyc/common'
import { openDatabase, type PooledDatabase, silentLogger, sqlOfPrisma } from '@kyc/runtime'
import { createTestDatabase } from '@kyc/testing'
import { sanctionsScreeningSchema } from '../src/service.ts'
import { createPrisma, type Prisma } from '../src/store/prisma.ts'

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>
let database: PooledDatabase
let prisma: Prisma

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const { schema, migrations } = sanctionsScreeningSchema
  database = await openDatabase({ url: testDatabase.url, schema, migrations, logger: silentLogger })
  prisma = createPrisma(database)
})
afterAll(async () => {
  await prisma.$disconnect()
  await database.close()
  await testDatabase.drop()
})

const update = {
  list: 'un_sc',
  version: '2026-02-01',
  previous_version: null,
  added: 1,
  changed: 0,
  removed: 0,
}
const waiting = async () => (await database.query('SELECT id FROM outbox')).rowCount

test('outbox and inbox take part in a Prisma transaction, and roll back with it', async () => {
  const outbox = createOutbox()
  const message = randomUUID()
  const handle = (fail: boolean) =>
    prisma.$transaction(async (tx) => {
      const sql = sqlOfPrisma(tx)
      if (!(await inbox.claim(sql, 'test', message))) return false
      // The first append notifies the relay, the second does not.
      await outbox.append(sql, sanctionsListUpdated, update)
      await outbox.append(sql, sanctionsListUpdated, update, { orderingKey: 'un_sc', delayMs: 10 })
      if (fail) throw new Error('the effect failed')
      return true
    })
  await expect(handle(true)).rejects.toThrow('the effect failed')
  expect(await waiting()).toBe(0)
  expect(await handle(false)).toBe(true)
  expect(await waiting()).toBe(2)
  expect(await handle(false)).toBe(false)
  expect(await waiting()).toBe(2)
})
