import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sessionPurged } from '@kyc/common'
import { sdnCsv } from './fixtures/ofac.ts'
import { Screening } from './screening-harness.ts'

describe('the aml check of a session', () => {
  let screening: Screening
  beforeAll(async () => {
    screening = await Screening.start({ 'sdn_2026-02-01.csv': sdnCsv })
  })
  afterAll(() => screening.stop())

  test('warns about a potential match, with the matches to review and the searched lists', async () => {
    await screening.submit({ dateOfBirth: '1950-06-05' })
    const completed = screening.takeCompleted()
    expect(completed).toHaveLength(1)
    const [{ check } = { check: null }] = completed
    expect(check).toMatchObject({
      kind: 'aml',
      status: 'warning',
      score: 1,
      warnings: [{ code: 'aml_potential_match', severity: 'medium' }],
    })
    expect(check?.data).toMatchObject({
      threshold: 0.82,
      lists: [{ list: 'us_ofac_sdn', status: 'ok' }],
      matches: [
        {
          entity_id: '70001',
          date_of_birth_match: true,
          review: { status: 'unreviewed', reviewed_by: null },
        },
      ],
    })
  })

  test('passes a person who is not listed, with score 0', async () => {
    await screening.submit({ name: 'UBYCHANIN ONDREJ' })
    expect(screening.takeCompleted()[0]?.check).toMatchObject({
      status: 'passed',
      score: 0,
      warnings: [],
      data: { matches: [] },
    })
  })

  test('applies the workflow’s threshold and lists', async () => {
    await screening.submit({ name: 'TARSIDION VELMOUR ASKAN', threshold: 1 })
    await screening.submit({ aml: { lists: ['un_sc'] } })
    const completed = screening.takeCompleted()
    expect(completed[0]?.check.data).toMatchObject({ threshold: 1, matches: [] })
    expect(completed[1]?.check).toMatchObject({ status: 'error', warnings: [{ code: 'lists_not_loaded' }] })
  })

  test('warns when there is no name', async () => {
    await screening.submit({ name: null })
    expect(screening.takeCompleted()[0]?.check).toMatchObject({
      status: 'warning',
      warnings: [{ code: 'insufficient_identity_data' }],
    })
  })

  test('is not run when the workflow disables it', async () => {
    await screening.submit({ aml: { enabled: false } })
    expect(screening.takeCompleted()).toHaveLength(0)
  })

  test('returns the result of a test scenario, regardless of loaded lists', async () => {
    await screening.submit({ name: 'UBYCHANIN ONDREJ', scenario: 'aml_match' })
    await screening.submit({ scenario: 'approved' })
    expect(screening.takeCompleted().map(({ status }) => status)).toEqual(['warning', 'passed'])
  })

  test('deletes the data of a purged session and confirms the purge', async () => {
    const scope = await screening.submit({ name: 'UBYCHANIN ONDREJ', aml: { monitor: true } })
    await screening.publish(sessionPurged, { ...scope, purged_at: '2026-03-01T12:00:00Z' })
    expect(screening.purgeConfirmations).toEqual([
      expect.objectContaining({ deleted: { monitored_sessions: 1, match_verdicts: 0 } }),
    ])
    const { rows } = await screening.harness.database.query('SELECT 1 FROM monitored_session')
    expect(rows).toEqual([])
  })
})

describe('the aml check without lists', () => {
  test('is an error when no list is loaded, never a pass', async () => {
    const screening = await Screening.start({})
    await screening.submit({})
    expect(screening.takeCompleted()[0]?.check).toMatchObject({
      status: 'error',
      score: null,
      warnings: [{ code: 'lists_not_loaded', severity: 'high' }],
    })
    await screening.stop()
  })
})
