import { formatNumber } from '../../lib/words.ts'
import styles from './analytics.module.css'

type Day = {
  day: string
  created: number
  submitted: number
  approved: number
  declined: number
  in_review: number
}

const series = [
  ['created', 'Created', 'none'],
  ['submitted', 'Submitted', '6 3'],
  ['approved', 'Approved', '2 3'],
] as const
const width = 600
const height = 160

/** A line chart over the days. Each line has its own dash pattern, so that colour is not needed to tell them apart. */
export function DayLines({ days }: { days: readonly Day[] }) {
  const most = Math.max(
    1,
    ...days.flatMap(({ created, submitted, approved }) => [created, submitted, approved]),
  )
  const step = days.length > 1 ? width / (days.length - 1) : 0
  const points = (key: (typeof series)[number][0]) =>
    days
      .map((day, index) => `${(index * step).toFixed(1)},${(height - (day[key] / most) * height).toFixed(1)}`)
      .join(' ')
  return (
    <div>
      <svg
        className={styles.lines}
        viewBox={`-4 -8 ${width + 8} ${height + 16}`}
        role="img"
        aria-label="Sessions by day; the numbers are in the table"
      >
        <title>Sessions by day</title>
        <line className={styles.axis} x1={0} x2={width} y1={height} y2={height} />
        <line className={styles.axis} x1={0} x2={width} y1={0} y2={0} />
        {series.map(([key, , dash]) => (
          <polyline key={key} className={styles[key]} points={points(key)} strokeDasharray={dash} />
        ))}
      </svg>
      <div className={styles.legend}>
        <span className="muted">
          {days[0]?.day} to {days.at(-1)?.day}, at most {formatNumber(most)} a day
        </span>
        {series.map(([key, name, dash]) => (
          <span key={key}>
            <svg width={28} height={8} aria-hidden="true">
              <line className={styles[key]} x1={0} x2={28} y1={4} y2={4} strokeDasharray={dash} />
            </svg>{' '}
            {name}
          </span>
        ))}
      </div>
    </div>
  )
}
