import { describe, expect, test } from '@jest/globals'
import { check as checkSchema, emptyIdentity, type ListInfo, matchReview } from '@kyc/common'
import { entity, sanctionsList } from '../../../test/fixtures/entities.ts'
import { buildIndex } from '../matching/index.ts'
import { amlCheck } from './aml-check.ts'
import { type ListSearch, searchLists } from './search-lists.ts'

const name = 'Velmoor Ashkan Tarsidian'
const at = '2026-03-01T12:00:00Z'
const index = buildIndex([sanctionsList([entity('1', { names: [{ full: name, quality: 'primary' }] })])])
const info = (list: string, status: ListInfo['status'] = 'ok'): ListInfo => ({
  list,
  version: 'test',
  fetched_at: at,
  entity_count: 1,
  status,
})

function run(changes: Partial<ListSearch> = {}) {
  const result = searchLists({
    index,
    lists: [info('un_sc')],
    query: { full_name: name },
    minNameScore: 0.8,
    listIds: null,
    entityType: 'person',
    ...changes,
  })
  return { ...result, codes: result.warnings.map((warning) => warning.code) }
}

describe('searchLists', () => {
  test('finds the listed person and names the searched lists', () => {
    expect(run()).toMatchObject({
      matches: [{ entity_id: '1', name_score: 1 }],
      lists: [{ list: 'un_sc' }],
      codes: [],
    })
  })

  test('warns that nothing was screened when no list is loaded', () => {
    expect(run({ index: buildIndex([]), lists: [] })).toMatchObject({
      matches: [],
      lists: [],
      codes: ['lists_not_loaded'],
    })
  })

  test('warns about requested lists that are not loaded, and searches the others', () => {
    expect(run({ listIds: ['un_sc', 'eu_fsf'] })).toMatchObject({
      matches: [{ list: 'un_sc' }],
      codes: ['list_load_failed'],
    })
    expect(run({ listIds: ['eu_fsf'] })).toMatchObject({ matches: [], codes: ['lists_not_loaded'] })
  })

  test.each(['stale', 'error'] as const)('warns that a list is %s, and still searches it', (status) => {
    expect(run({ lists: [info('un_sc', status)] })).toMatchObject({
      matches: [{ list: 'un_sc' }],
      codes: ['list_stale'],
    })
  })

  test('warns about a single-word name, except in scripts that do not separate words', () => {
    expect(run({ query: { full_name: 'Tarsidian' } }).codes).toEqual(['single_token_name'])
    expect(run({ query: { full_name: '김정은' } }).codes).toEqual([])
  })
})

describe('the aml check', () => {
  const make = (changes: Partial<ListSearch> | null) =>
    amlCheck({
      identity: { ...emptyIdentity, full_name: name },
      result: changes === null ? null : run(changes),
      threshold: 0.82,
      startedAt: at,
      screenedAt: at,
    })

  test('has status warning for a match, which is unreviewed', () => {
    const made = make({})
    expect(made).toMatchObject({ status: 'warning', score: 1, warnings: [{ code: 'aml_potential_match' }] })
    const { matches } = made.data as { matches: { review: unknown }[] }
    expect(matchReview.parse(matches[0]?.review).status).toBe('unreviewed')
  })

  test('passes with score 0 without a match, even when a list is stale', () => {
    const query = { full_name: 'Ondrej Ubychanin' }
    expect(make({ query })).toMatchObject({ status: 'passed', score: 0 })
    expect(make({ query, lists: [info('un_sc', 'stale')] })).toMatchObject({
      status: 'passed',
      warnings: [{ severity: 'low' }],
    })
  })

  test('is an error when no list was searched, and a warning when a requested list is missing or there is no name', () => {
    expect(make({ lists: [] })).toMatchObject({ status: 'error', score: null })
    expect(make({ query: { full_name: 'Ondrej Ubychanin' }, listIds: ['un_sc', 'eu_fsf'] }).status).toBe(
      'warning',
    )
    expect(make(null)).toMatchObject({
      status: 'warning',
      score: null,
      warnings: [{ code: 'insufficient_identity_data' }],
    })
  })

  test('conforms to the check contract', () => {
    for (const made of [make({}), make({ lists: [] }), make(null)])
      expect(checkSchema.parse(made)).toEqual(made)
  })
})
