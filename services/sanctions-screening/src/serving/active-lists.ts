import { type ListFailure, type ListInfo, type ListState as ListStatus, toTimestamp } from '@kyc/common'
import type { Clock, Logger, Metrics } from '@kyc/runtime'
import { type ListId, listIds, type SanctionsList } from '../domain/entity.ts'
import { buildIndex, buildIndexInSteps, type ScreeningIndex } from '../domain/matching/index.ts'
import type { ListState } from '../store/generated/client.ts'
import type { ListStore } from '../store/lists.ts'

/** Everything that one answer is computed from. Immutable: an update creates a new snapshot. */
export type ListSnapshot = {
  index: ScreeningIndex
  lists: readonly SanctionsList[]
  states: ReadonlyMap<string, ListState>
}

type ActiveListsDeps = {
  listStore: ListStore
  clock: Clock
  logger: Logger
  metrics: Metrics
  /**
   * A list without a successful check for this many days is stale. Null for lists read from a folder, which never
   * are.
   */
  staleAfterDays: number | null
}

const dayMs = 86_400_000

/**
 * The active list versions in memory, with their index. The previous snapshot stays in use until a new index is
 * built.
 */
export class ActiveLists {
  readonly #deps: ActiveListsDeps
  #snapshot: ListSnapshot = { index: buildIndex([]), lists: [], states: new Map() }
  #syncing: Promise<void> = Promise.resolve()
  #resolveReady: () => void = () => {}
  readonly #becameReady = new Promise<void>((resolve) => {
    this.#resolveReady = resolve
  })
  #isReady = false

  constructor(deps: ActiveListsDeps) {
    this.#deps = deps
    const { metrics } = deps
    const entities = metrics.gauge(
      'sanctions_list_entities',
      'Entities of the active list version',
      ['list'],
      () => {
        for (const list of this.#snapshot.lists) entities.set({ list: list.id }, list.entities.length)
      },
    )
    const age = metrics.gauge(
      'sanctions_list_age_seconds',
      'Seconds since the list was last fetched',
      ['list'],
      () => {
        const now = deps.clock.now().getTime()
        for (const list of this.infos())
          age.set({ list: list.list }, (now - Date.parse(list.fetched_at)) / 1000)
      },
    )
    const healthy = metrics.gauge(
      'sanctions_list_ok',
      '1 while the status of the list is ok, else 0',
      ['list'],
      () => {
        for (const list of this.infos()) healthy.set({ list: list.list }, list.status === 'ok' ? 1 : 0)
      },
    )
  }

  snapshot(): ListSnapshot {
    return this.#snapshot
  }

  /** True once the lists available at startup are loaded. */
  get ready(): boolean {
    return this.#isReady
  }

  /** Resolves when `ready` becomes true. An answer before that would report that no list is loaded. */
  whenReady(): Promise<void> {
    return this.#becameReady
  }

  setReady(): void {
    this.#isReady = true
    this.#resolveReady()
  }

  /** The lists of a snapshot with their current status. */
  infos(snapshot: ListSnapshot = this.#snapshot): ListInfo[] {
    return snapshot.lists.map((list) => {
      const state = snapshot.states.get(list.id)
      return {
        list: list.id,
        version: list.version,
        fetched_at: state?.fetchedAt == null ? list.fetched_at : toTimestamp(state.fetchedAt),
        entity_count: list.entities.length,
        status: this.#statusOf(state),
        ...failureOf(state),
      }
    })
  }

  /** The status of every loaded list, and of the `expected` lists that are not loaded. */
  statuses(expected: readonly ListId[]): ListStatus[] {
    const { states } = this.#snapshot
    const infos = this.infos()
    const checkedAt = (list: string) => {
      const at = states.get(list)?.checkedAt
      return at == null ? null : toTimestamp(at)
    }
    return listIds.flatMap((list): ListStatus[] => {
      const info = infos.find((item) => item.list === list)
      if (info !== undefined) return [{ ...info, checked_at: checkedAt(list) }]
      const state = states.get(list)
      if (state === undefined && !expected.includes(list)) return []
      return [
        {
          list,
          version: null,
          fetched_at: null,
          checked_at: checkedAt(list),
          entity_count: 0,
          status: 'not_loaded',
          ...failureOf(state),
        },
      ]
    })
  }

  /** Loads the active versions from the store. Concurrent calls run one after the other. */
  sync(): Promise<void> {
    this.#syncing = this.#syncing.catch(() => {}).then(() => this.#load())
    return this.#syncing
  }

  #statusOf(state: ListState | undefined): ListInfo['status'] {
    if (state === undefined || state.failureCode !== null) return 'error'
    const { staleAfterDays, clock } = this.#deps
    if (staleAfterDays === null || state.checkedAt === null) return 'ok'
    return clock.now().getTime() - state.checkedAt.getTime() > staleAfterDays * dayMs ? 'stale' : 'ok'
  }

  async #load(): Promise<void> {
    const states = await this.#deps.listStore.listStates()
    const current = new Map(this.#snapshot.lists.map((list) => [list.id, list]))
    const lists: SanctionsList[] = []
    let changed = false
    for (const { list: name, version } of states) {
      const id: ListId | undefined = listIds.find((listId) => listId === name)
      if (id === undefined || version === null) continue
      const loaded = current.get(id)
      if (loaded?.version === version) {
        lists.push(loaded)
        continue
      }
      const list = await this.#deps.listStore.readVersion(id, version)
      if (list === null) continue
      lists.push(list)
      changed = true
    }
    const byList = new Map(states.map((state) => [state.list, state]))
    if (!changed && lists.length === current.size) {
      this.#snapshot = { ...this.#snapshot, states: byList }
      return
    }
    const startedAt = performance.now()
    const index = await buildIndexInSteps(lists)
    this.#snapshot = { index, lists, states: byList }
    this.#deps.logger.info('screening index built', {
      lists: lists.map((list) => list.id),
      entities: lists.reduce((sum, list) => sum + list.entities.length, 0),
      milliseconds: Math.round(performance.now() - startedAt),
    })
  }
}

function failureOf(state: ListState | undefined): { failure?: ListFailure } {
  if (state?.failureCode == null || state.attemptedAt === null) return {}
  const { failureCode: code, failureMessage, attemptedAt, failures } = state
  return {
    failure: {
      code,
      message: failureMessage ?? '',
      at: toTimestamp(attemptedAt),
      attempts: Math.max(1, failures),
    },
  }
}
