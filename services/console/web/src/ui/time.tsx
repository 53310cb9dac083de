import { useSyncExternalStore } from 'react'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "5 min. ago", "in 2 hr.", "now". */
export function relativeWords(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit)
  }
  return Math.abs(seconds) < 10 ? 'now' : relative.format(Math.round(seconds), 'second')
}

/** One clock for the page, ticking every 20 s. */
let now = Date.now()
const listeners = new Set<() => void>()
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, 20_000)
export const useNow = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    () => now,
  )

/** The relative time, with the exact local time as a tooltip; a dash for null. */
export function Time({ at }: { at: string | null }) {
  const current = useNow()
  if (at === null) return <>–</>
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {relativeWords(at, Math.max(current, now))}
    </time>
  )
}

/** The exact local time. */
export const ExactTime = ({ at }: { at: string }) => <time dateTime={at}>{exact.format(new Date(at))}</time>

/** The time elapsed, for a column of ages: "3 h 12 min" without "ago". */
export function Age({ since }: { since: string | null }) {
  const current = useNow()
  if (since === null) return <>–</>
  const minutes = Math.max(0, Math.floor((current - Date.parse(since)) / 60_000))
  const hours = Math.floor(minutes / 60)
  const text =
    minutes < 60
      ? `${minutes} min`
      : hours < 48
        ? `${hours} h ${minutes % 60} min`
        : `${Math.floor(hours / 24)} d`
  return (
    <time dateTime={since} title={exact.format(new Date(since))}>
      {text}
    </time>
  )
}
