import { useState } from 'react'

/**
 * Keeps rows in place while the user reads them: new rows are counted and shown on request, removed rows disappear. A
 * different `list` (filter, page) resets the rows, and so does a list of which no row is left.
 */
export function useSteadyRows<T extends { session_id: string }>(latest: readonly T[], list: string) {
  const ids = latest.map(({ session_id }) => session_id)
  const [shown, setShown] = useState({ list, ids: new Set(ids) })
  const kept = latest.filter(({ session_id }) => shown.ids.has(session_id))
  const anew = shown.list !== list || (kept.length === 0 && latest.length > 0)
  if (anew) setShown({ list, ids: new Set(ids) })
  const rows = anew ? latest : kept
  return {
    rows,
    fresh: latest.length - rows.length,
    showFresh: () => setShown({ list, ids: new Set(ids) }),
  }
}
