import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { operationsOf, replayDecisions, replayLedger } from '../src/service.ts'
import {
  answer,
  passAll,
  type SessionHarness,
  startSessionService,
  submitted,
  testConfig,
} from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
afterAll(() => harness.close())

const parts = () => ({ database: harness.database, vault: harness.deps.vault })
const problemsOf = async (sessionId: string, files = true) =>
  (await replayDecisions(parts(), { files })).differences
    .filter((item) => item.session_id === sessionId)
    .map((item) => item.problem)

async function decided(): Promise<string> {
  const sessionId = await submitted(harness)
  await passAll(harness, sessionId)
  return sessionId
}

describe('replaying decisions', () => {
  test('finds no difference in unchanged decisions: approved, in review, reviewed, purged', async () => {
    await decided()
    const reviewed = await submitted(harness)
    await passAll(harness, reviewed, ['aml'])
    const warnings = [
      { code: 'aml_potential_match', severity: 'medium' as const, message: 'm', field: null, details: null },
    ]
    await answer(harness, reviewed, { kind: 'aml', status: 'warning', warnings })
    await harness.drain()
    await harness.api
      .patch(`/v1/sessions/${reviewed}/status`)
      .set(harness.headers)
      .send({ status: 'declined', note: 'seen' })
      .expect(200)
    const purged = await decided()
    await harness.api.delete(`/v1/sessions/${purged}`).set(harness.headers).expect(204)
    const replayed = await replayDecisions(parts(), { files: true })
    expect(replayed.differences).toEqual([])
    expect(replayed).toMatchObject({ decisions: 3, receipts: 2 })
  })

  test('reports a decision that does not follow from its inputs', async () => {
    const sessionId = await decided()
    await harness.database.query("UPDATE decision SET status = 'declined' WHERE session_id = $1", [sessionId])
    expect(await problemsOf(sessionId)).toEqual([
      'decided declined (no reason), recomputed approved (no reason)',
    ])
  })

  test('reports a check that was replaced, and a receipt that was replaced or deleted', async () => {
    const sessionId = await decided()
    const other = await decided()
    await harness.database.query(
      `UPDATE session_check SET sealed = (SELECT sealed FROM session_check WHERE session_id = $1 AND kind = 'document')
       WHERE session_id = $1 AND kind = 'liveness'`,
      [sessionId],
    )
    expect(await problemsOf(sessionId)).toEqual(['what is stored of it is damaged'])
    await harness.api.get(`/v1/sessions/${sessionId}/decision`).set(harness.headers).expect(500)
    await harness.database.query(
      'UPDATE receipt SET sealed = (SELECT sealed FROM receipt WHERE session_id = $2) WHERE session_id = $1',
      [sessionId, other],
    )
    expect(await problemsOf(sessionId)).toEqual(['what is stored of it is damaged'])
    await harness.database.query('DELETE FROM receipt WHERE session_id = $1', [sessionId])
    expect(await problemsOf(sessionId)).toEqual(['it has no receipt'])
  })
})

describe('replaying the purge ledger', () => {
  /** All rows of a session, as an older backup contains them. */
  const tables = ['session', 'session_check', 'submission', 'decision', 'receipt'] as const
  type Dump = Record<string, Record<string, unknown>[]>
  const dump = async (sessionId: string): Promise<Dump> =>
    Object.fromEntries(
      await Promise.all(
        tables.map(async (table) => [
          table,
          (await harness.database.query(`SELECT * FROM ${table} WHERE session_id = $1`, [sessionId])).rows,
        ]),
      ),
    )
  async function restore(sessionId: string, backup: Dump) {
    await harness.database.transaction(async (tx) => {
      for (const table of [...tables, 'purge', 'purge_confirmation'])
        await tx.query(`DELETE FROM ${table} WHERE session_id = $1`, [sessionId])
      for (const table of tables) {
        for (const row of backup[table] ?? []) {
          const columns = Object.keys(row).filter((column) => column !== 'seq')
          const values = columns.map((column) =>
            ['config', 'payload', 'inputs', 'warnings'].includes(column)
              ? JSON.stringify(row[column])
              : row[column],
          )
          await tx.query(
            `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
            values,
          )
        }
      }
    })
  }

  test.each(['processing', 'approved'])(
    'purges again a session that a backup brought back as %s',
    async (status) => {
      const sessionId = await submitted(harness, { metadata: { who: 'Erika' } })
      if (status === 'approved') await passAll(harness, sessionId)
      const backup = await dump(sessionId)
      if (status === 'processing') await passAll(harness, sessionId)
      await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(204)
      await restore(sessionId, backup)
      const operations = operationsOf(harness.deps, testConfig)
      // The ledger alone already makes the data unreadable.
      const vault = harness.deps.vault
      const sealed = backup.session?.[0]?.sealed_personal as Buffer
      await expect(
        vault.open({ app_id: harness.appId, session_id: sessionId }, 'metadata', sealed),
      ).rejects.toMatchObject({ code: 'key_destroyed' })
      expect(await replayLedger(operations)).toMatchObject({ sessions_purged_again: 1 })
      expect(await replayLedger(operations)).toMatchObject({ sessions_purged_again: 0 })
      const read = await harness.api.get(`/v1/sessions/${sessionId}`).set(harness.headers).expect(200)
      expect(read.body.purged_at).not.toBeNull()
      const { rows } = await harness.database.query(
        'SELECT sealed_personal, sealed_identity FROM session WHERE session_id = $1',
        [sessionId],
      )
      expect(rows).toEqual([{ sealed_personal: null, sealed_identity: null }])
    },
  )
})
