import { useState } from 'react'

/**
 * Rows that stay where the eye is: what arrives later is counted and shown on request, what is gone disappears.
 * Another `list` (filter, page) starts anew.
 */
export function useSteadyRows<T extends { session_id: string }>(latest: readonly T[], list: string) {
  const ids = latest.map(({ session_id }) => session_id)
  const [shown, setShown] = useState({ list, ids: new Set(ids) })
  if (shown.list !== list || (shown.ids.size === 0 && ids.length > 0)) {
    setShown({ list, ids: new Set(ids) })
  }
  const rows = shown.list === list ? latest.filter(({ session_id }) => shown.ids.has(session_id)) : latest
  return {
    rows,
    fresh: latest.length - rows.length,
    showFresh: () => setShown({ list, ids: new Set(ids) }),
  }
}
