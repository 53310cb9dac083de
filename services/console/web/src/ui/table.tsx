import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import styles from './table.module.css'

export type Column<T> = {
  name: string
  cell: (row: T) => ReactNode
  number?: boolean
  /** Shows the column name to screen readers only, for columns of buttons. */
  hideName?: boolean
}

type Props<T> = {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string
  /** The index of the row selected with the keyboard. */
  current?: number
  /** The rows are of the previous page, while the next one loads. */
  stale?: boolean
}

/** A native table. Marks the row at `current` and scrolls it into view. */
export function Table<T>({ caption, columns, rows, rowKey, current, stale }: Props<T>) {
  const marked = useRef<HTMLTableRowElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row element changes with the index
  useEffect(() => {
    marked.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={caption}>
      <table className={`${styles.table} ${stale ? styles.stale : ''}`} aria-busy={stale || undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={column.number ? styles.number : undefined}>
                {column.hideName ? <span className="visually-hidden">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={rowKey(row)}
              ref={index === current ? marked : undefined}
              data-current={index === current || undefined}
              aria-current={index === current ? 'true' : undefined}
            >
              {columns.map((column) => (
                <td key={column.name} className={column.number ? styles.number : undefined}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type PagerProps = { page: number; pageSize: number; total: number; onPage: (page: number) => void }

export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1
  const format = new Intl.NumberFormat('en')
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span>
        {format.format(first)}–{format.format(Math.min(total, page * pageSize))} of {format.format(total)}
      </span>
      <Button onClick={() => onPage(page - 1)} reason={page <= 1 && 'This is the first page'}>
        Previous
      </Button>
      <span>
        Page {format.format(page)} of {format.format(pages)}
      </span>
      <Button onClick={() => onPage(page + 1)} reason={page >= pages && 'This is the last page'}>
        Next
      </Button>
    </nav>
  )
}
