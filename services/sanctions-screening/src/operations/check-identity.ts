import { type Check, type Identity, toTimestamp, type WorkflowConfig } from '@kyc/common'
import { amlCheck } from '../domain/screening/aml-check.ts'
import { searchLists } from '../domain/screening/search-lists.ts'
import { testScenarioCheck } from '../domain/screening/test-scenario.ts'
import { toAmlQuery } from '../domain/screening/to-aml-query.ts'
import type { ScreeningDeps } from './deps.ts'
import { findKnownFalsePositives } from './find-known-false-positives.ts'

type IdentityToCheck = {
  app_id: string
  environment: string
  config: WorkflowConfig
  test_scenario: string | null
}

/** The `aml` check of a session's identity against the active lists. Stores nothing. */
export async function checkIdentity(
  deps: Pick<ScreeningDeps, 'activeLists' | 'clock' | 'database' | 'vault'>,
  { app_id, environment, config, test_scenario }: IdentityToCheck,
  identity: Identity | null,
): Promise<Check> {
  const { activeLists, clock } = deps
  const startedAt = toTimestamp(clock.now())
  const threshold = config.review_threshold
  // A live session never takes a scripted result.
  const scenario = environment === 'test' ? test_scenario : null
  if (scenario !== null) return testScenarioCheck(scenario, identity, threshold, startedAt)
  const base = () => ({ identity, threshold, startedAt, screenedAt: toTimestamp(clock.now()) })
  if (identity === null || identity.full_name === null) return amlCheck({ ...base(), result: null })
  const snapshot = activeLists.snapshot()
  const result = searchLists({
    index: snapshot.index,
    lists: activeLists.infos(snapshot),
    query: toAmlQuery(identity),
    minNameScore: threshold,
    listIds: config.steps.aml.lists,
    entityType: 'person',
  })
  const falsePositives = await findKnownFalsePositives(deps, snapshot, app_id, identity, result.matches)
  return amlCheck({ ...base(), result, falsePositives })
}
