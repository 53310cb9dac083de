import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sessionPurged } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { sdnCsv } from './fixtures/ofac.ts'
import { type Scope, Screening, type Submission } from './screening-harness.ts'

let screening: Screening
beforeAll(async () => {
  screening = await Screening.start({ 'sdn_2026-02-01.csv': sdnCsv })
})
afterAll(() => screening.stop())

const born = { dateOfBirth: '1950-06-05' }

/** Submits a session and records a reviewer's verdict on its match. */
async function submitAndReview(
  verdict: 'true_positive' | 'false_positive',
  person: Submission,
  at?: string,
): Promise<Scope> {
  const scope = await screening.submit(person)
  const [completed] = screening.takeCompleted()
  if (completed === undefined) throw new Error('nothing was screened')
  await screening.reviewFirstMatch(scope, completed, verdict, person, at)
  return scope
}

async function submitAndTake(person: Submission) {
  await screening.submit(person)
  const [completed] = screening.takeCompleted()
  return completed
}

test('a false positive is known for the same person, in any word order, case and punctuation', async () => {
  const app_id = newId('app')
  await submitAndReview('false_positive', { ...born, app_id })
  const completed = await submitAndTake({ ...born, app_id, name: 'Ashkan Tarsidian-Velmoor' })
  expect(completed).toMatchObject({ status: 'passed', check: { score: 0, warnings: [] } })
  expect(completed?.check.data).toMatchObject({
    matches: [
      { review: { status: 'false_positive', reviewed_at: '2026-03-01T12:00:00Z', reviewed_by: null } },
    ],
  })
})

test('a false positive does not apply to another person, birth date or app', async () => {
  const app_id = newId('app')
  await submitAndReview('false_positive', { ...born, app_id })
  expect((await submitAndTake({ ...born, app_id, name: 'TARSIDIAN VELMOR ASHKAN' }))?.status).toBe('warning')
  expect((await submitAndTake({ app_id, dateOfBirth: '1951-01-01' }))?.status).toBe('warning')
  expect((await submitAndTake({ app_id }))?.status).toBe('warning')
  expect((await submitAndTake(born))?.status).toBe('warning')
})

test('the latest verdict applies, for any session and any order of arrival', async () => {
  const app_id = newId('app')
  await submitAndReview('false_positive', { ...born, app_id }, '2026-03-01T12:00:00Z')
  const person = { ...born, app_id }
  const scope = await screening.submit(person)
  const [completed] = screening.takeCompleted()
  if (completed === undefined) throw new Error('nothing was screened')
  await screening.reviewFirstMatch(scope, completed, 'true_positive', person, '2026-03-03T12:00:00Z')
  expect((await submitAndTake(person))?.status).toBe('warning')
  await screening.reviewFirstMatch(scope, completed, 'false_positive', person, '2026-03-02T12:00:00Z')
  expect((await submitAndTake(person))?.status).toBe('warning')
})

test('the stored verdict does not identify the person, and a purge deletes it with the session', async () => {
  const app_id = newId('app')
  const scope = await submitAndReview('false_positive', { ...born, app_id })
  const rows = async () => {
    const stored = await screening.harness.database.query('SELECT * FROM match_verdict WHERE app_id = $1', [
      app_id,
    ])
    return stored.rows
  }
  const [row] = await rows()
  expect(row).toMatchObject({ list: 'us_ofac_sdn', entity_id: '70001', verdict: 'false_positive' })
  expect(JSON.stringify(row)).not.toMatch(/tarsidian|velmoor|ashkan|1950/i)
  await screening.publish(sessionPurged, { ...scope, purged_at: '2026-03-01T12:00:00Z' })
  expect(await rows()).toEqual([])
  expect(screening.purgeConfirmations).toMatchObject([{ deleted: { match_verdicts: 1 } }])
  expect((await submitAndTake({ ...born, app_id }))?.status).toBe('warning')
})
