import type { KeyObject } from 'node:crypto'
import { toTimestamp } from '@kyc/common'
import { type OutboundClient, OutboundError } from '@kyc/outbound'
import type { Clock, Logger, Metrics, PooledDatabase } from '@kyc/runtime'
import { type ListId, listIds } from '../domain/entity.ts'
import { checkReplacement } from '../lists/check-replacement.ts'
import { isEmptyDelta, listDelta } from '../lists/delta.ts'
import { fetchList, SourceUnavailableError } from '../lists/fetch-list.ts'
import { folderFingerprint } from '../lists/folder-fingerprint.ts'
import { loadSanctionsFolder } from '../lists/load-folder.ts'
import type { LoadedList } from '../lists/load-list.ts'
import { ListRejectedError } from '../lists/rejection.ts'
import type { ListSource } from '../lists/sources.ts'
import type { ListState } from '../store/generated/client.ts'
import type { FailureCode, ListStore, SourceMark } from '../store/lists.ts'
import { isDue, mustRefetch, type RefreshSchedule } from './refresh-schedule.ts'

export type RefreshDeps = {
  store: ListStore
  database: PooledDatabase
  outbound: OutboundClient
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** When set, the lists come from here and nothing is downloaded. */
  directory: string | undefined
  /** When set, only files of the folder that this key's owner signed are read. */
  packKey?: KeyObject | null
  sources: readonly ListSource[]
  schedule: RefreshSchedule
  keepVersions: number
  /** 0 to 1, spreads the checks of many installations. */
  random: () => number
}

/** One number for all replicas of a database: whoever holds it refreshes. */
const refreshLock = 5_190_423_118

/** Keeps the stored lists fresh. What serves is replaced only by a whole, plausible, newer publication. */
export class ListRefresher {
  readonly #deps: RefreshDeps
  readonly #rejections

  constructor(deps: RefreshDeps) {
    this.#deps = deps
    this.#rejections = deps.metrics.counter(
      'sanctions_list_rejected_total',
      'Publications that were not taken, by reason',
      ['list', 'reason'],
    )
  }

  /**
   * Checks what is due; all that is asked for when `force`. One replica at a time: false when another one is at it.
   * Never throws for a list: its reason is stored, logged and counted.
   */
  async refresh(
    options: { force?: boolean; lists?: readonly string[]; signal?: AbortSignal } = {},
  ): Promise<boolean> {
    const client = await this.#deps.database.pool.connect()
    try {
      const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
        refreshLock,
      ])
      if (rows[0]?.held !== true) return false
      try {
        await this.#refreshAll(options)
        return true
      } finally {
        await client.query('SELECT pg_advisory_unlock($1)', [refreshLock])
      }
    } finally {
      client.release()
    }
  }

  async #refreshAll(options: {
    force?: boolean
    lists?: readonly string[]
    signal?: AbortSignal
  }): Promise<void> {
    const { directory, sources } = this.#deps
    const { force = false, lists, signal } = options
    if (directory !== undefined) {
      await this.#readFolder(directory, force)
      return
    }
    for (const source of sources) {
      if (signal?.aborted) return
      if (lists !== undefined && !lists.includes(source.list)) continue
      const state = await this.#deps.store.state(source.list)
      if (force || isDue(state, this.#deps.clock.now(), this.#deps.schedule, this.#deps.random()))
        await this.#refreshFrom(source, state, signal)
    }
  }

  async #refreshFrom(
    source: ListSource,
    state: ListState | null,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { outbound, clock, store } = this.#deps
    const fetchedAt = toTimestamp(clock.now())
    try {
      const known =
        state === null || state.version === null || mustRefetch(state, clock.now(), this.#deps.schedule)
          ? null
          : state
      const fetched = await fetchList(outbound, source, known, fetchedAt, signal)
      if (fetched.kind === 'unchanged') await store.confirm(source.list, null, null)
      else
        await this.#take(fetched.list, {
          source: fetched.source,
          etag: fetched.etag,
          lastModified: fetched.lastModified,
        })
    } catch (error) {
      // The process ends: that is no fault of the source.
      if (signal?.aborted) return
      await this.#reject(source.list, error)
    }
  }

  /** Lists of the folder replace what serves without being compared: the operator chose them. */
  async #readFolder(directory: string, force: boolean): Promise<void> {
    const { store, clock, logger } = this.#deps
    const fingerprint = await folderFingerprint(directory, this.#deps.packKey)
    if (!force && (await store.folderFingerprint(directory)) === fingerprint) return
    const { lists, rejected } = await loadSanctionsFolder(directory, clock.now(), this.#deps.packKey)
    for (const file of rejected)
      logger.info('a list file serves no list', { file: file.path, reason: file.code, detail: file.message })
    for (const list of lists.values()) {
      try {
        await this.#take(list, null)
      } catch (error) {
        await this.#reject(list.id, error)
      }
    }
    for (const state of await store.states()) {
      const list = listIds.find((id) => id === state.list)
      if (list !== undefined && state.version !== null && !lists.has(list)) {
        await this.#reject(
          list,
          new ListRejectedError('missing_part', 'the folder holds no whole publication of this list'),
        )
      }
    }
    await store.rememberFolder(directory, fingerprint, rejected)
  }

  async #take(next: LoadedList, mark: SourceMark | null): Promise<void> {
    const { store, clock, logger, keepVersions } = this.#deps
    const state = await store.state(next.id)
    const current = state?.version == null ? null : await store.read(next.id, state.version)
    if (mark !== null) checkReplacement(next, current, clock.now())
    const delta = listDelta(current?.entities ?? [], next.entities)
    if (current !== null && isEmptyDelta(delta)) {
      await store.confirm(next.id, next.fetched_at, mark)
      return
    }
    await store.serve(next, delta, current?.version ?? null, mark)
    await store.prune(next.id, keepVersions)
    logger.info('a list was updated', {
      list: next.id,
      version: next.version,
      entities: next.entities.length,
      added: delta.added.length,
      changed: delta.changed.length,
      removed: delta.removed.length,
    })
  }

  async #reject(list: ListId, error: unknown): Promise<void> {
    const reason = failureOf(error)
    if (reason === null) throw error
    this.#rejections.inc({ list, reason: reason.code })
    this.#deps.logger.warn('a list was not refreshed', { list, reason: reason.code, detail: reason.message })
    await this.#deps.store.fail(list, reason.code, reason.message)
  }
}

/** Null for what is no fault of a list or its source: the database, a defect. */
function failureOf(error: unknown): { code: FailureCode; message: string } | null {
  if (error instanceof ListRejectedError) return { code: error.code, message: error.message }
  if (error instanceof OutboundError)
    return { code: 'download_failed', message: `${error.code}: ${error.message}` }
  if (error instanceof SourceUnavailableError) return { code: 'download_failed', message: error.message }
  return null
}
