import { createOutbox, type EventMessage, inbox, type Outbox } from '@kyc/bus'
import {
  type Check,
  checkCompleted,
  type Identity,
  type identityExtracted,
  sealContexts,
  subjectIdentity,
  toTimestamp,
  type WorkflowConfig,
} from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { VaultKeyDestroyedError } from '@kyc/vault'
import { amlCheck } from '../domain/screening/aml-check.ts'
import { screenName } from '../domain/screening/screen-name.ts'
import { testScenarioMatch } from '../domain/screening/test-scenario.ts'
import type { ServingLists } from '../serving/serving-lists.ts'
import { type MonitoredSessions, scopeOf } from '../store/monitored-sessions.ts'

type Message = EventMessage<typeof identityExtracted>

export const consumerName = 'sanctions-screening.identity.extracted'

/** Screens the person of a submitted session and says `check.completed`. */
export class SessionScreener {
  private readonly deps: ServiceDeps
  private readonly lists: ServingLists
  private readonly monitored: MonitoredSessions
  private readonly outbox: Outbox

  constructor(deps: ServiceDeps, lists: ServingLists, monitored: MonitoredSessions) {
    this.deps = deps
    this.lists = lists
    this.monitored = monitored
    this.outbox = createOutbox({ clock: deps.clock })
  }

  async handle(message: Message): Promise<void> {
    const { payload } = message
    if (!payload.config.steps.aml.enabled) return
    await this.lists.whenReady()
    try {
      await this.screen(message)
    } catch (error) {
      // Purged meanwhile: nothing of the session may be written any more.
      if (!(error instanceof VaultKeyDestroyedError)) throw error
      this.deps.logger.info('a purged session is not screened', { session_id: payload.session_id })
    }
  }

  private async screen({ id, payload, traceparent, correlationId }: Message): Promise<void> {
    const { vault, database } = this.deps
    const { app_id, session_id, round, config, sealed_identity } = payload
    const scope = { app_id, session_id }
    const identity = sealed_identity === null ? null : await this.open(scope, sealed_identity)
    const check = this.check(identity, config, payload.environment === 'test' ? payload.test_scenario : null)
    const sealed = await vault.seal(scope, sealContexts.check_data, check)
    await database.transaction(async (tx) => {
      if (!(await inbox.claim(tx, consumerName, id))) return
      if (config.steps.aml.monitor && sealed_identity !== null) {
        await this.monitored.remember(tx, scopeOf(payload), sealed_identity, matchIds(check))
      }
      await this.outbox.append(
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

  private async open(scope: { app_id: string; session_id: string }, sealed: string): Promise<Identity> {
    const value = await this.deps.vault.open(scope, sealContexts.identity, Buffer.from(sealed, 'base64'))
    return subjectIdentity.parse(value).identity
  }

  private check(identity: Identity | null, config: WorkflowConfig, scenario: string | null): Check {
    const { clock } = this.deps
    const startedAt = toTimestamp(clock.now())
    const scripted =
      scenario === null ? null : testScenarioMatch(scenario, identity, config.review_threshold, startedAt)
    if (scripted !== null) return scripted
    const serving = this.lists.current()
    const name = identity?.full_name ?? null
    const result =
      name === null
        ? null
        : screenName({
            index: serving.index,
            lists: this.lists.infos(serving),
            query: {
              full_name: name,
              date_of_birth: identity?.date_of_birth ?? undefined,
              nationality: identity?.nationality ?? undefined,
            },
            floor: config.review_threshold,
            onlyLists: config.steps.aml.lists,
            entityType: 'person',
          })
    return amlCheck({
      identity,
      result,
      threshold: config.review_threshold,
      startedAt,
      screenedAt: toTimestamp(clock.now()),
    })
  }
}

/** The ids of a check's matches. */
export function matchIds(check: Check): string[] {
  const { matches } = check.data as { matches?: readonly { match_id: string }[] }
  return matches?.map((match) => match.match_id) ?? []
}
