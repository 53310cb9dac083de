import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@kyc/testing'
import { silentLogger } from '../logger.ts'
import { openDatabase, type PooledDatabase } from './open.ts'

let testDatabase: TestDatabase
let database: PooledDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = await openDatabase({
    url: testDatabase.url,
    schema: 'opened',
    poolSize: 2,
    logger: silentLogger,
  })
  await database.query('CREATE TABLE effect (id int)')
})
afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

test('a connection lost between two statements of a transaction fails the transaction, not the process', async () => {
  const lost = database.transaction(async (tx) => {
    await tx.query('INSERT INTO effect VALUES (1)')
    const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await database.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    // The connection ends while no statement waits for a result.
    const gone = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1'
    while ((await database.query(gone, [rows[0]?.pid])).rowCount > 0);
    for (let turn = 0; turn < 20; turn++) await database.query('SELECT 1')
    await tx.query('INSERT INTO effect VALUES (2)')
  })
  await expect(lost).rejects.toThrow()
  expect((await database.query('SELECT id FROM effect')).rowCount).toBe(0)
  await Promise.all([database.query('SELECT 1'), database.query('SELECT 1'), database.query('SELECT 1')])
})
