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
import { type ListId, listIds, type SanctionsList } from '../domain/entity.ts'
import { buildIndex, type ScreeningIndex, screen } from '../domain/matching/index.ts'
import { amlCheck } from '../domain/screening/aml-check.ts'
import { maxMatches, screenName } from '../domain/screening/screen-name.ts'
import type { ServingLists } from '../serving/serving-lists.ts'
import type { ListStore } from '../store/lists.ts'
import type { MonitoredSession, MonitoredSessions } from '../store/monitored-sessions.ts'
import { matchIds } from './screen-session.ts'

const pageSize = 200

/**
 * Screens approved sessions again, against what an update brought and nothing else. A match that was not there before
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
    // The whole check is made from what serves here: the update must be part of it.
    await this.lists.sync()
    const news = await this.newsOf(list, payload.version)
    if (news === null) return
    let after = ''
    for (;;) {
      const page = await this.monitored.page(this.deps.database, list, after, pageSize)
      for (const session of page) await this.rescreen(session, news)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = last.session_id
    }
  }

  /** An index over the entities that the version added or changed; null when the version is gone. */
  private async newsOf(list: ListId, version: string): Promise<ScreeningIndex | null> {
    const [delta, whole] = await Promise.all([
      this.store.deltaOf(list, version),
      this.store.read(list, version),
    ])
    if (delta === null || whole === null) return null
    const wanted = new Set([...delta.added, ...delta.changed])
    const news: SanctionsList = {
      ...whole,
      entities: whole.entities.filter((entity) => wanted.has(entity.id)),
    }
    return buildIndex([news])
  }

  private async rescreen(session: MonitoredSession, news: ScreeningIndex): Promise<void> {
    const identity = await this.identityOf(session)
    if (identity === null || identity.full_name === null) return
    const query = {
      full_name: identity.full_name,
      date_of_birth: identity.date_of_birth ?? undefined,
      nationality: identity.nationality ?? undefined,
    }
    const found = screen(
      news,
      { ...query, entity_type: 'person' },
      { floor: session.review_threshold, limit: maxMatches },
    )
    if (!found.some((match) => !session.known_matches.includes(match.match_id))) return
    const serving = this.lists.current()
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
      const told = [...found.map((match) => match.match_id), ...matchIds(check)]
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
