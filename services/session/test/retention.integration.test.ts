import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { type Vault, VaultStorageError } from '@kyc/vault'
import { runClock } from '../src/operations/run-clock.ts'
import { operationsOf } from '../src/service.ts'
import { passAll, type SessionHarness, startSessionService, submitted, testConfig } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
beforeEach(async () => {
  harness.headers = await harness.identity({ app_id: harness.appId })
})
afterAll(() => harness.close())

const read = async (sessionId: string) => {
  const headers = await harness.identity({ app_id: harness.appId })
  return (await harness.api.get(`/v1/sessions/${sessionId}`).set(headers).expect(200)).body
}

test('retention continues when the vault fails for one session, and retries that one later', async () => {
  const sessions: string[] = []
  for (let n = 0; n < 6; n++) {
    const sessionId = await submitted(harness)
    await passAll(harness, sessionId)
    await harness.deps.vault.put(
      { app_id: harness.appId, session_id: sessionId },
      'front',
      Buffer.from('x'),
      {
        contentType: 'image/jpeg',
      },
    )
    sessions.push(sessionId)
  }
  const bad = sessions[0] as string
  harness.clock.advance({ days: 31 })
  const errors: string[] = []
  const vault: Vault = {
    ...harness.deps.vault,
    destroy: async (scope) => {
      if (scope.session_id === bad) throw new VaultStorageError('The vault folder failed (EIO).')
      return harness.deps.vault.destroy(scope)
    },
  }
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) }
  await runClock(operationsOf({ ...harness.deps, vault, logger }, testConfig))
  expect(errors).toEqual(['a session past its retention could not be purged'])
  for (const sessionId of sessions) expect((await read(sessionId)).purged_at).not.toBeNull()
  const filesOf = (sessionId: string) =>
    harness.deps.vault.list({ app_id: harness.appId, session_id: sessionId })
  for (const sessionId of sessions.slice(1)) expect(await filesOf(sessionId)).toEqual([])
  expect(await filesOf(bad)).toHaveLength(1)
  harness.clock.advance({ seconds: 10 })
  await harness.runPurges()
  expect(await filesOf(bad)).toEqual([])
})

test('retention waits for services that are behind, but not for one that is unavailable', async () => {
  const open = async () =>
    (
      await harness.database.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM purge WHERE completed_at IS NULL',
      )
    ).rows[0]?.count
  const sessionId = await submitted(harness)
  await passAll(harness, sessionId)
  harness.clock.advance({ days: 31 })
  const at = harness.clock.now()
  // 400 purges without any confirmation.
  await harness.database.query(
    `INSERT INTO purge (session_id, app_id, purged_at, deleted, asked_at)
     SELECT 'ses_behind' || n, $1, $2, '{}', $2 FROM generate_series(1, 400) AS n`,
    [harness.appId, at],
  )
  const before = await open()
  const operations = operationsOf(harness.deps, testConfig)
  await runClock(operations)
  expect(await open()).toBe(before)
  expect((await read(sessionId)).purged_at).toBeNull()
  harness.clock.advance({ minutes: 6 })
  await runClock(operations)
  expect((await read(sessionId)).purged_at).not.toBeNull()
})
