import { formatNumber, formatShare } from '../../lib/words.ts'
import styles from './analytics.module.css'

type Props = {
  rows: readonly (readonly [name: string, value: number])[]
  format?: (value: number) => string
  /** Also show each value as a share of the first. */
  share?: boolean
}

const shownAtMost = 12

/** Horizontal bars with their values next to them. */
export function Bars({ rows, format = formatNumber, share }: Props) {
  if (rows.length === 0) return <p className="muted">Nothing in these days.</p>
  const most = Math.max(...rows.map(([, value]) => value), 1e-9)
  const first = rows[0]?.[1] ?? 0
  return (
    <ul className={styles.bars}>
      {rows.slice(0, shownAtMost).map(([name, value]) => (
        <li key={name}>
          <span className={styles.name}>{name}</span>
          <svg className={styles.bar} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect className={styles.fill} width={(value / most) * 100} height={10} />
          </svg>
          <span className={styles.value}>
            {format(value)}
            {share && first > 0 && <span className="muted"> {formatShare(value / first)}</span>}
          </span>
        </li>
      ))}
      {rows.length > shownAtMost && (
        <li className="muted">and {rows.length - shownAtMost} more in the table</li>
      )}
    </ul>
  )
}
