import { type ListFailure, type ListInfo, type ListState as ListStatus, toTimestamp } from '@kyc/common'
import type { Clock, Logger, Metrics } from '@kyc/runtime'
import { type ListId, listIds, type SanctionsList } from '../domain/entity.ts'
import { buildIndex, buildIndexInSteps, type ScreeningIndex } from '../domain/matching/index.ts'
import type { ListState } from '../store/generated/client.ts'
import type { ListStore } from '../store/lists.ts'

/** All that one answer is made from. It never changes: an update makes another one. */
export type ListSnapshot = {
  index: ScreeningIndex
  lists: readonly SanctionsList[]
  states: ReadonlyMap<string, ListState>
}

export type ActiveListsDeps = {
  store: ListStore
  clock: Clock
  logger: Logger
  metrics: Metrics
  /** Days without a good check after which a list is stale; null where lists come from a folder. */
  staleAfterDays: number | null
}

const dayMs = 86_400_000

/** The lists of this process, in memory, as the store says they serve. The old ones answer until the new index stands. */
export class ActiveLists {
  readonly #options: ActiveListsDeps
  #serving: ListSnapshot = { index: buildIndex([]), lists: [], states: new Map() }
  #syncing: Promise<void> = Promise.resolve()
  #resolveFirstState: () => void = () => {}
  readonly #firstState = new Promise<void>((resolve) => {
    this.#resolveFirstState = resolve
  })
  #isReady = false

  constructor(options: ActiveListsDeps) {
    this.#options = options
    const { metrics } = options
    const entities = metrics.gauge(
      'sanctions_list_entities',
      'Entities of the version that serves',
      ['list'],
      () => {
        for (const list of this.#serving.lists) entities.set({ list: list.id }, list.entities.length)
      },
    )
    const age = metrics.gauge(
      'sanctions_list_age_seconds',
      'Since the list was last fetched',
      ['list'],
      () => {
        const now = options.clock.now().getTime()
        for (const list of this.infos())
          age.set({ list: list.list }, (now - Date.parse(list.fetched_at)) / 1000)
      },
    )
    const healthy = metrics.gauge('sanctions_list_ok', '1 while the list is fresh, else 0', ['list'], () => {
      for (const list of this.infos()) healthy.set({ list: list.list }, list.status === 'ok' ? 1 : 0)
    })
  }

  snapshot(): ListSnapshot {
    return this.#serving
  }

  /** True once the lists that were to be had at start are loaded. */
  get ready(): boolean {
    return this.#isReady
  }

  /** Resolves when they are. Until then an answer would say that nothing is loaded, and be wrong a moment later. */
  whenReady(): Promise<void> {
    return this.#firstState
  }

  setReady(): void {
    this.#isReady = true
    this.#resolveFirstState()
  }

  /** The loaded lists with their present status. */
  infos(serving: ListSnapshot = this.#serving): ListInfo[] {
    return serving.lists.map((list) => {
      const state = serving.states.get(list.id)
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

  /** The loaded lists and those of `expected` that are not, with how their last attempts went. */
  statuses(expected: readonly ListId[]): ListStatus[] {
    const { states } = this.#serving
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

  /** Brings memory in line with the store; calls follow one another. */
  sync(): Promise<void> {
    this.#syncing = this.#syncing.catch(() => {}).then(() => this.#load())
    return this.#syncing
  }

  #statusOf(state: ListState | undefined): ListInfo['status'] {
    if (state === undefined || state.failureCode !== null) return 'error'
    const { staleAfterDays, clock } = this.#options
    if (staleAfterDays === null || state.checkedAt === null) return 'ok'
    return clock.now().getTime() - state.checkedAt.getTime() > staleAfterDays * dayMs ? 'stale' : 'ok'
  }

  async #load(): Promise<void> {
    const states = await this.#options.store.states()
    const known = new Map(this.#serving.lists.map((list) => [list.id, list]))
    const lists: SanctionsList[] = []
    let changed = false
    for (const { list: name, version } of states) {
      const id: ListId | undefined = listIds.find((listId) => listId === name)
      if (id === undefined || version === null) continue
      const loaded = known.get(id)
      if (loaded?.version === version) {
        lists.push(loaded)
        continue
      }
      const list = await this.#options.store.read(id, version)
      if (list === null) continue
      lists.push(list)
      changed = true
    }
    const byList = new Map(states.map((state) => [state.list, state]))
    if (!changed && lists.length === known.size) {
      this.#serving = { ...this.#serving, states: byList }
      return
    }
    const began = performance.now()
    const index = await buildIndexInSteps(lists)
    this.#serving = { index, lists, states: byList }
    this.#options.logger.info('the screening index was built', {
      lists: lists.map((list) => list.id),
      entities: lists.reduce((sum, list) => sum + list.entities.length, 0),
      milliseconds: Math.round(performance.now() - began),
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
