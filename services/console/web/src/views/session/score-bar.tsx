import { formatScore } from '../../lib/words.ts'
import styles from './score-bar.module.css'

const width = 100
const height = 10

/** A score from 0 to 1 with a tick at the threshold; the numbers give the same information as text. */
export function ScoreBar({
  name,
  score,
  threshold,
}: {
  name: string
  score: number
  threshold: number | null
}) {
  const share = Math.min(1, Math.max(0, score)) * width
  return (
    <span className={styles.score}>
      <svg
        className={styles.bar}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect className={styles.track} width={width} height={height} />
        <rect
          className={threshold === null || score >= threshold ? styles.good : styles.low}
          width={share}
          height={height}
        />
        {threshold !== null && (
          <rect className={styles.tick} x={threshold * width - 0.75} width={1.5} height={height} />
        )}
      </svg>
      <span className={styles.number}>
        <span className="visually-hidden">{name} score </span>
        {formatScore(score)}
        {threshold !== null && <span className="muted"> of {formatScore(threshold)}</span>}
      </span>
    </span>
  )
}
