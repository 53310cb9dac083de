import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sessionStatusChanged } from '@kyc/common'
import { replayDecisions } from '../src/service.ts'
import { passAll, type SessionHarness, startSessionService, submitted } from './harness.ts'

let harness: SessionHarness
beforeAll(async () => {
  harness = await startSessionService()
})
afterAll(() => harness.close())

test('never approves a session with one corrupted byte: sends it to review, and neither publishes nor shows its data', async () => {
  const sessionId = await submitted(harness, { metadata: { who: 'Erika' } })
  await passAll(harness, sessionId, ['ip'])
  await harness.database.query(
    `UPDATE session SET sealed_personal = set_byte(sealed_personal, 20, get_byte(sealed_personal, 20) # 1)
     WHERE session_id = $1`,
    [sessionId],
  )
  await passAll(harness, sessionId)
  const read = await harness.api.get(`/v1/sessions/${sessionId}`).set(harness.headers).expect(200)
  expect(read.body).toMatchObject({ status: 'in_review', decision_reason: 'processing_error' })
  const shown = await harness.api.get(`/v1/sessions/${sessionId}/decision`).set(harness.headers).expect(500)
  expect(JSON.stringify(shown.body)).not.toContain('Erika')
  const { rows } = await harness.database.query<{ payload: { status: string; sealed_decision: unknown } }>(
    'SELECT payload FROM outbox WHERE name = $1 AND ordering_key = $2 ORDER BY seq DESC LIMIT 1',
    [sessionStatusChanged.name, sessionId],
  )
  expect(rows[0]?.payload).toMatchObject({ status: 'in_review', sealed_decision: null })
  const { differences } = await replayDecisions({ database: harness.database, vault: harness.deps.vault })
  // The decision matches its inputs; the missing receipt is reported.
  expect(differences.map((item) => item.problem)).toEqual(['it has no receipt'])
  await harness.api.delete(`/v1/sessions/${sessionId}`).set(harness.headers).expect(204)
})
