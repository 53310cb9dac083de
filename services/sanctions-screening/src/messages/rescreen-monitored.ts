import { createOutbox, type EventMessage, type Outbox } from '@kyc/bus'
import {
  type AmlQuery,
  type Check,
  checkCompleted,
  type Identity,
  type sanctionsListUpdated,
  sealContexts,
  type sessionStatusChanged,
  subjectIdentity,
  toTimestamp,
} from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import { VaultKeyDestroyedError } from '@kyc/vault'
import { type ListId, listIds } from '../domain/entity.ts'
import { screen } from '../domain/matching/index.ts'
import { amlCheck } from '../domain/screening/aml-check.ts'
import { searchLists } from '../domain/screening/screen-name.ts'
import { knownFalsePositives } from '../operations/known-false-positives.ts'
import type { ActiveLists, ListSnapshot } from '../serving/serving-lists.ts'
import type { ListStore } from '../store/lists.ts'
import type { MatchVerdicts } from '../store/match-verdicts.ts'
import type { MonitoredSession, MonitoredSessions } from '../store/monitored-sessions.ts'
import { openMatchIds } from './screen-session.ts'

const pageSize = 200
/** From here a session never returns to being approved. */
const ended: ReadonlySet<string> = new Set(['declined', 'expired', 'abandoned'])
/** Enough that what an update brought is not crowded out by what was there before. */
const mostOfOneList = 100

/**
 * Screens monitored sessions again when a list changed; only what the update brought counts. A match that was not there
 * before is told once, as the `aml` check of the approved session with all its present matches; `session` then asks for a
 * review. What comes while a session is not approved is told when it is.
 */
export class MonitoredRescreener {
  readonly #deps: ServiceDeps
  readonly #lists: ActiveLists
  readonly #store: ListStore
  readonly #monitored: MonitoredSessions
  readonly #verdicts: MatchVerdicts
  readonly #outbox: Outbox

  constructor(
    deps: ServiceDeps,
    lists: ActiveLists,
    store: ListStore,
    monitored: MonitoredSessions,
    verdicts: MatchVerdicts,
  ) {
    this.#deps = deps
    this.#lists = lists
    this.#store = store
    this.#monitored = monitored
    this.#verdicts = verdicts
    this.#outbox = createOutbox({ clock: deps.clock })
  }

  async handle({ payload }: EventMessage<typeof sanctionsListUpdated>): Promise<void> {
    const list = listIds.find((id) => id === payload.list)
    if (list === undefined || payload.previous_version === null || payload.added + payload.changed === 0)
      return
    const delta = await this.#store.deltaOf(list, payload.version)
    if (delta === null) return
    await this.#lists.sync()
    const news = new Set([...delta.added, ...delta.changed])
    let after = ''
    for (;;) {
      const page = await this.#monitored.page(this.#deps.database, list, after, pageSize)
      for (const session of page) await this.#rescreen(session, list, news)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      after = last.session_id
    }
  }

  /** A session that ended otherwise than approved is never told of anything again. */
  async follow({ payload }: EventMessage<typeof sessionStatusChanged>): Promise<void> {
    const { database } = this.#deps
    if (ended.has(payload.status)) {
      await this.#monitored.forget(database, payload)
      return
    }
    const active = payload.status === 'approved'
    const missed = await this.#monitored.setActive(database, payload, active, payload.sequence)
    if (missed === null) return
    const identity = await this.#identityOf(missed.session)
    if (identity !== null) await this.#tell(missed.session, identity, new Set(missed.missed))
  }

  async #rescreen(session: MonitoredSession, list: ListId, news: ReadonlySet<string>): Promise<void> {
    const identity = await this.#identityOf(session)
    if (identity === null || identity.full_name === null) return
    // In the whole index, because the weight of a name's words depends on how many bear them.
    const found = screen(
      this.#lists.snapshot().index,
      { ...queryOf(identity), entity_type: 'person' },
      { floor: session.review_threshold, limit: mostOfOneList, lists: [list] },
    )
    const brought = found.filter((match) => news.has(match.entity_id)).map((match) => match.match_id)
    const unknown = brought.filter((id) => !session.known_matches.includes(id))
    if (unknown.length === 0) return
    // Approved or not may change meanwhile: the first that still holds counts.
    if (!session.active && (await this.#monitored.miss(this.#deps.database, session, unknown))) return
    if (await this.#tell(session, identity, new Set(unknown))) return
    if (session.active) await this.#monitored.miss(this.#deps.database, session, unknown)
  }

  /**
   * Tells the present matches, if one of `news` is among them and is no known false positive. True when there is nothing
   * left to do for this session.
   */
  async #tell(session: MonitoredSession, identity: Identity, news: ReadonlySet<string>): Promise<boolean> {
    const { app_id, session_id, round } = session
    const check = await this.#checkOf(session, identity, this.#lists.snapshot(), news)
    if (check === null) return true
    const sealed = await this.#deps.vault.seal({ app_id, session_id }, sealContexts.check_data, check)
    return this.#deps.database.transaction(async (tx) => {
      if (!(await this.#monitored.tell(tx, session, openMatchIds(check)))) return false
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
          monitoring: true,
        },
        { orderingKey: session_id },
      )
      return true
    })
  }

  /** The session's `aml` check of today; null when none of `news` is a match that a reviewer has to see. */
  async #checkOf(
    session: MonitoredSession,
    identity: Identity,
    serving: ListSnapshot,
    news: ReadonlySet<string>,
  ): Promise<Check | null> {
    const now = toTimestamp(this.#deps.clock.now())
    const query = queryOf(identity)
    const minNameScore = session.review_threshold
    const lists = this.#lists.infos(serving)
    const found = searchLists({
      index: serving.index,
      lists,
      query,
      minNameScore,
      listIds: session.lists,
      entityType: 'person',
    })
    // What is new stands in the check even where better matches of before would crowd it out.
    const crowdedOut = screen(
      serving.index,
      { ...query, entity_type: 'person' },
      { floor: minNameScore, limit: mostOfOneList, lists: session.lists ?? lists.map(({ list }) => list) },
    ).filter(
      ({ match_id }) => news.has(match_id) && !found.matches.some((match) => match.match_id === match_id),
    )
    const matches = [...found.matches, ...crowdedOut]
    const { app_id } = session
    const falsePositives = await knownFalsePositives(
      this.#deps,
      this.#verdicts,
      serving,
      app_id,
      identity,
      matches,
    )
    const open = matches.filter(({ match_id }) => news.has(match_id) && !falsePositives.has(match_id))
    if (open.length === 0) return null
    const result = { ...found, matches }
    return amlCheck({
      identity,
      result,
      threshold: minNameScore,
      startedAt: now,
      screenedAt: now,
      falsePositives,
    })
  }

  /** Null for a session that was purged meanwhile. */
  async #identityOf({ app_id, session_id, sealed_identity }: MonitoredSession): Promise<Identity | null> {
    try {
      const value = await this.#deps.vault.open(
        { app_id, session_id },
        sealContexts.identity,
        sealed_identity,
      )
      return subjectIdentity.parse(value).identity
    } catch (error) {
      if (error instanceof VaultKeyDestroyedError) return null
      throw error
    }
  }
}

const queryOf = (identity: Identity): AmlQuery => ({
  full_name: identity.full_name ?? '',
  date_of_birth: identity.date_of_birth ?? undefined,
  nationality: identity.nationality ?? undefined,
})
