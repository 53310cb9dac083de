import type { AmlMatch, Check, Identity } from '@kyc/common'
import { amlCheck } from './aml-check.ts'

/** A match with no list entry behind it. Its fields identify it as test data. */
function testMatch(name: string): AmlMatch {
  return {
    match_id: 'mat_test_scenario',
    list: 'test_scenario',
    list_version: 'test',
    entity_id: 'TEST-1',
    entity_type: 'person',
    name,
    matched_name: name,
    matched_name_type: 'primary',
    score: 1,
    name_score: 1,
    date_of_birth_match: null,
    dates_of_birth: [],
    nationalities: [],
    programs: ['TEST'],
    listed_on: null,
    remarks: 'Created by the test scenario aml_match. No list contains this entry.',
    source_url: null,
    explanation: { tokens: [], unmatched_query: [], unmatched_listed: [], adjustments: [] },
  }
}

/**
 * The scripted check of a test session: one match for `aml_match`, none for other scenarios. Loaded lists are
 * ignored.
 */
export function testScenarioCheck(
  scenario: string,
  identity: Identity | null,
  threshold: number,
  at: string,
): Check {
  const name = identity?.full_name ?? 'TEST PERSON'
  const lists = [
    { list: 'test_scenario', version: 'test', fetched_at: at, entity_count: 1, status: 'ok' as const },
  ]
  const matches = scenario === 'aml_match' ? [testMatch(name)] : []
  return amlCheck({
    identity,
    result: { matches, lists, warnings: [] },
    threshold,
    startedAt: at,
    screenedAt: at,
  })
}
