import { useState } from 'react'
import { type Shortcut, useShortcuts } from '../app/shortcuts.ts'

/** A list with keyboard navigation: `j` and `k` move, `Enter` opens. The index stays valid when the list shrinks. */
export function useRows<T>(
  rows: readonly T[],
  open: (row: T) => void,
  more: (row: T | undefined) => readonly Shortcut[] = () => [],
) {
  const [index, setIndex] = useState(-1)
  const current = Math.min(index, rows.length - 1)
  const row = current < 0 ? undefined : rows[current]
  useShortcuts([
    { keys: 'j', label: 'Next row', run: () => setIndex(Math.min(current + 1, rows.length - 1)) },
    { keys: 'k', label: 'Previous row', run: () => setIndex(Math.max(current - 1, 0)) },
    { keys: 'Enter', label: 'Open the row', run: () => row !== undefined && open(row) },
    ...more(row),
  ])
  return { current, row }
}
