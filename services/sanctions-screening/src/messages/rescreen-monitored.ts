import { createOutbox, type EventMessage, type Outbox } from '@kyc/bus'
import {
  checkCompleted,
  type Identity,
  type sanctionsListUpdated,
  sealContexts,
  subjectIdentity,
  toTimestamp,
} from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { VaultKeyDestroyedError } from '@kyc/vault'
import { type ListId, listIds } from '../domain/entity.ts'
import { screen } from '../domain/matching/index.ts'
import { amlCheck } from '../domain/screening/aml-check.ts'
import { screenName } from '../domain/screening/screen-name.ts'
import type { ServingLists } from '../serving/serving-lists.ts'
import type { ListStore } from '../store/lists.ts'
import type { MonitoredSession, MonitoredSessions } from '../store/monitored-sessions.ts'
import { matchIds } from './screen-session.ts'

const pageSize = 200
/** Enough that what an update brought is not crowded out by what was there before. */
const mostOfOneList = 100

/**
 * Screens approved sessions again when a list changed; only what the update brought counts. A match that was not there before
 * is told once, as the session's `aml` check with all its present matches; `session` then asks for a review.
 */
export class MonitoredRescreener {
  private readonly deps: ServiceDeps
  private readonly lists: ServingLists
  private readonly store: ListStore
  private readonly monitored: MonitoredSessions
  private readonly outbox: Outbox

  constructor(deps: ServiceDeps, lists: ServingLists, store: ListStore, monitored: MonitoredSessions) {
    this.deps = deps
    this.lists = lists
    this.store = store
    this.monitored = monitored
    this.outbox = createOutbox({ clock: deps.clock })
  }

  async handle({ payload }: EventMessage<typeof sanctionsListUpdated>): Promise<void> {
    const list = listIds.find((id) => id === payload.list)
    if (list === undefined || payload.previous_version === null || payload.added + payload.changed === 0)
      return
    const delta = await this.store.deltaOf(list, payload.version)
    if (delta === null) return
    await this.lists.sync()
    const news = new Set([...delta.added, ...delta.changed])
    let after = ''
    for (;;) {
      const page = await this.monitored.page(this.deps.database, list, after, pageSize)
      for (const session of page) await this.rescreen(session, list, news)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = last.session_id
    }
  }

  private async rescreen(session: MonitoredSession, list: ListId, news: ReadonlySet<string>): Promise<void> {
    const identity = await this.identityOf(session)
    if (identity === null || identity.full_name === null) return
    const query = {
      full_name: identity.full_name,
      date_of_birth: identity.date_of_birth ?? undefined,
      nationality: identity.nationality ?? undefined,
    }
    // In the whole index, because the weight of a name's words depends on how many bear them.
    const serving = this.lists.current()
    const found = screen(
      serving.index,
      { ...query, entity_type: 'person' },
      { floor: session.review_threshold, limit: mostOfOneList, lists: [list] },
    )
    const brought = found.filter((match) => news.has(match.entity_id)).map((match) => match.match_id)
    if (!brought.some((id) => !session.known_matches.includes(id))) return
    const now = toTimestamp(this.deps.clock.now())
    const check = amlCheck({
      identity,
      result: screenName({
        index: serving.index,
        lists: this.lists.infos(serving),
        query,
        floor: session.review_threshold,
        onlyLists: session.lists,
        entityType: 'person',
      }),
      threshold: session.review_threshold,
      startedAt: now,
      screenedAt: now,
    })
    const { app_id, session_id, round } = session
    const sealed = await this.deps.vault.seal({ app_id, session_id }, sealContexts.check_data, check)
    await this.deps.database.transaction(async (tx) => {
      const told = [...brought, ...matchIds(check)]
      if (!(await this.monitored.tell(tx, session, told))) return
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
          monitoring: true,
        },
        { orderingKey: session_id },
      )
    })
  }

  /** Null for a session that was purged meanwhile. */
  private async identityOf({
    app_id,
    session_id,
    sealed_identity,
  }: MonitoredSession): Promise<Identity | null> {
    try {
      const value = await this.deps.vault.open({ app_id, session_id }, sealContexts.identity, sealed_identity)
      return subjectIdentity.parse(value).identity
    } catch (error) {
      if (error instanceof VaultKeyDestroyedError) return null
      throw error
    }
  }
}
