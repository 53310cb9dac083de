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

/** A session whose one match a reviewer judged. */
async function reviewed(
  verdict: 'true_positive' | 'false_positive',
  person: Submission,
  at?: string,
): Promise<Scope> {
  const scope = await screening.submit(person)
  const [told] = screening.told()
  if (told === undefined) throw new Error('nothing was screened')
  await screening.review(scope, told, verdict, person, at)
  return scope
}

async function screened(person: Submission) {
  await screening.submit(person)
  const [told] = screening.told()
  return told
}

test('a reviewed false positive is remembered for the same person, however the name is written', async () => {
  const app_id = newId('app')
  await reviewed('false_positive', { ...born, app_id })
  const told = await screened({ ...born, app_id, name: 'Ashkan Tarsidian-Velmoor' })
  expect(told).toMatchObject({ status: 'passed', check: { score: 0, warnings: [] } })
  expect(told?.check.data).toMatchObject({
    matches: [
      { review: { status: 'false_positive', reviewed_at: '2026-03-01T12:00:00Z', reviewed_by: null } },
    ],
  })
})

test('it says nothing of another person, another birth date or another app', async () => {
  const app_id = newId('app')
  await reviewed('false_positive', { ...born, app_id })
  expect((await screened({ ...born, app_id, name: 'TARSIDIAN VELMOR ASHKAN' }))?.status).toBe('warning')
  expect((await screened({ app_id, dateOfBirth: '1951-01-01' }))?.status).toBe('warning')
  expect((await screened({ app_id }))?.status).toBe('warning')
  expect((await screened(born))?.status).toBe('warning')
})

test('the latest verdict counts, whichever session it was given in and in whichever order it arrives', async () => {
  const app_id = newId('app')
  await reviewed('false_positive', { ...born, app_id }, '2026-03-01T12:00:00Z')
  const person = { ...born, app_id }
  const scope = await screening.submit(person)
  const [told] = screening.told()
  if (told === undefined) throw new Error('nothing was screened')
  await screening.review(scope, told, 'true_positive', person, '2026-03-03T12:00:00Z')
  expect((await screened(person))?.status).toBe('warning')
  await screening.review(scope, told, 'false_positive', person, '2026-03-02T12:00:00Z')
  expect((await screened(person))?.status).toBe('warning')
})

test('nothing that is kept names the person, and a purge takes it with the session', async () => {
  const app_id = newId('app')
  const scope = await reviewed('false_positive', { ...born, app_id })
  const rows = async () => {
    const kept = await screening.harness.database.query('SELECT * FROM match_verdict WHERE app_id = $1', [
      app_id,
    ])
    return kept.rows
  }
  const [row] = await rows()
  expect(row).toMatchObject({ list: 'us_ofac_sdn', entity_id: '70001', verdict: 'false_positive' })
  expect(JSON.stringify(row)).not.toMatch(/tarsidian|velmoor|ashkan|1950/i)
  await screening.say(sessionPurged, { ...scope, purged_at: '2026-03-01T12:00:00Z' })
  expect(await rows()).toEqual([])
  expect(screening.purged).toMatchObject([{ deleted: { match_verdicts: 1 } }])
  expect((await screened({ ...born, app_id }))?.status).toBe('warning')
})
