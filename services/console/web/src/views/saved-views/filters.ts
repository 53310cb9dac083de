import type { SavedView } from '../../api/views.ts'

type Filters = SavedView['filters']

/** The filters that a view stores. None of them identifies a person. */
const kept = ['status', 'reason', 'warning', 'workflow', 'assignee', 'waiting', 'from', 'to'] as const

export const keptFilters = (search: object): Filters =>
  Object.fromEntries(
    kept.map((name) => [name, (search as Filters)[name]]).filter(([, value]) => value !== undefined),
  )

/** Active filters that are not stored: a name, a reference, a session. */
export const leftOut = (search: object): string[] =>
  Object.entries(search)
    .filter(([name, value]) => value !== undefined && !kept.some((each) => each === name))
    .map(([name]) => name)

/** The view whose filters equal these exactly. */
export const viewOf = (views: readonly SavedView[], search: object): SavedView | undefined => {
  const known = (filters: object) => JSON.stringify(keptFilters(filters))
  return leftOut(search).length === 0
    ? views.find(({ filters }) => known(filters) === known(search))
    : undefined
}
