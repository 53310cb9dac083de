import { createOutbox, type EventMessage, inbox, type Outbox } from '@kyc/bus'
import {
  type AmlMatch,
  type Check,
  checkCompleted,
  type Identity,
  type identityExtracted,
  identity as identitySchema,
  type screenAgain,
  sealContexts,
  subjectIdentity,
  toTimestamp,
  type WorkflowConfig,
} from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { VaultKeyDestroyedError } from '@kyc/vault'
import type { z } from 'zod'
import { amlCheck } from '../domain/screening/aml-check.ts'
import { searchLists } from '../domain/screening/screen-name.ts'
import { testScenarioCheck } from '../domain/screening/test-scenario.ts'
import { knownFalsePositives } from '../operations/known-false-positives.ts'
import type { ActiveLists } from '../serving/serving-lists.ts'
import type { MatchVerdicts } from '../store/match-verdicts.ts'
import { type MonitoredSessions, scopeOf } from '../store/monitored-sessions.ts'

type Message = EventMessage<typeof identityExtracted>

export const consumerName = 'sanctions-screening.identity.extracted'

/** Screens the person of a submitted session and says `check.completed`. */
export class SessionScreener {
  readonly #deps: ServiceDeps
  readonly #lists: ActiveLists
  readonly #monitored: MonitoredSessions
  readonly #verdicts: MatchVerdicts
  readonly #outbox: Outbox

  constructor(deps: ServiceDeps, lists: ActiveLists, monitored: MonitoredSessions, verdicts: MatchVerdicts) {
    this.#deps = deps
    this.#lists = lists
    this.#monitored = monitored
    this.#verdicts = verdicts
    this.#outbox = createOutbox({ clock: deps.clock })
  }

  async handle(message: Message): Promise<void> {
    const { payload } = message
    if (!payload.config.steps.aml.enabled) return
    await this.#lists.whenReady()
    try {
      await this.#screen(message)
    } catch (error) {
      // Purged meanwhile: nothing of the session may be written any more.
      if (!(error instanceof VaultKeyDestroyedError)) throw error
      this.#deps.logger.info('a purged session is not screened', { session_id: payload.session_id })
    }
  }

  async #screen({ id, payload, traceparent, correlationId }: Message): Promise<void> {
    const { vault, database } = this.#deps
    const { app_id, session_id, round, config, sealed_identity } = payload
    const scope = { app_id, session_id }
    const identity = sealed_identity === null ? null : await this.#open(scope, sealed_identity)
    const check = await this.#check(app_id, identity, config, testScenarioOf(payload))
    const sealed = await vault.seal(scope, sealContexts.check_data, check)
    await database.transaction(async (tx) => {
      if (!(await inbox.claim(tx, consumerName, id))) return
      if (config.steps.aml.monitor && sealed_identity !== null) {
        await this.#monitored.remember(tx, scopeOf(payload), sealed_identity, openMatchIds(check))
      }
      await this.#outbox.append(
        tx,
        checkCompleted,
        {
          app_id,
          session_id,
          round,
          final: true,
          kind: 'aml',
          status: check.status,
          sealed_check: sealed.toString('base64'),
        },
        { orderingKey: session_id, traceparent, correlationId },
      )
    })
  }

  /** On a reviewer's request. Keeps nothing: `session` decides what becomes of the check. */
  async screenAgain(request: z.output<typeof screenAgain.request>): Promise<{ sealed_check: string }> {
    await this.#lists.whenReady()
    const { vault } = this.#deps
    const scope = { app_id: request.app_id, session_id: request.session_id }
    const identity =
      request.sealed_identity === null
        ? null
        : identitySchema.parse(
            await vault.open(scope, sealContexts.identity, Buffer.from(request.sealed_identity, 'base64')),
          )
    const scenario = request.environment === 'test' ? request.test_scenario : null
    const check = await this.#check(request.app_id, identity, request.config, scenario)
    return { sealed_check: (await vault.seal(scope, sealContexts.check_data, check)).toString('base64') }
  }

  async #open(scope: { app_id: string; session_id: string }, sealed: string): Promise<Identity> {
    const value = await this.#deps.vault.open(scope, sealContexts.identity, Buffer.from(sealed, 'base64'))
    return subjectIdentity.parse(value).identity
  }

  async #check(
    appId: string,
    identity: Identity | null,
    config: WorkflowConfig,
    scenario: string | null,
  ): Promise<Check> {
    const { clock } = this.#deps
    const startedAt = toTimestamp(clock.now())
    const threshold = config.review_threshold
    if (scenario !== null) return testScenarioCheck(scenario, identity, threshold, startedAt)
    const timed = () => ({ identity, threshold, startedAt, screenedAt: toTimestamp(clock.now()) })
    if (identity === null || identity.full_name === null) return amlCheck({ ...timed(), result: null })
    const serving = this.#lists.snapshot()
    const result = searchLists({
      index: serving.index,
      lists: this.#lists.infos(serving),
      query: {
        full_name: identity.full_name,
        date_of_birth: identity.date_of_birth ?? undefined,
        nationality: identity.nationality ?? undefined,
      },
      minNameScore: threshold,
      listIds: config.steps.aml.lists,
      entityType: 'person',
    })
    const falsePositives = await knownFalsePositives(
      this.#deps,
      this.#verdicts,
      serving,
      appId,
      identity,
      result.matches,
    )
    return amlCheck({ ...timed(), result, falsePositives })
  }
}

/** Live sessions are never scripted. */
const testScenarioOf = (payload: Message['payload']): string | null =>
  payload.environment === 'test' ? payload.test_scenario : null

/** The ids of a check's matches that ask for a review: a known false positive is told anew when its entity changes. */
export function openMatchIds(check: Check): string[] {
  const { matches } = check.data as { matches?: readonly AmlMatch[] }
  return (matches ?? [])
    .filter((match) => match.review?.status !== 'false_positive')
    .map((match) => match.match_id)
}
