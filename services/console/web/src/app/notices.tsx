import { useSyncExternalStore } from 'react'
import { wordsOf } from '../ui/states.tsx'
import styles from './notices.module.css'

type Notice = { id: number; text: string; bad: boolean }
let notices: readonly Notice[] = []
let next = 1
const listeners = new Set<() => void>()
const change = (value: readonly Notice[]) => {
  notices = value
  for (const listener of listeners) listener()
}

/** Long enough for slow readers and screen readers. */
const shownMs = 7000

function show(text: string, bad: boolean): void {
  const id = next++
  change([...notices.filter((notice) => notice.text !== text), { id, text, bad }])
  setTimeout(() => change(notices.filter((notice) => notice.id !== id)), shownMs)
}

/** Shows and announces a message without moving the focus. */
export const notify = (text: string): void => show(text, false)
export const notifyError = (error: unknown): void => show(wordsOf(error), true)

export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
  return (
    <div className={styles.notices} role="status" aria-live="polite">
      {shown.map(({ id, text, bad }) => (
        <div key={id} className={`${styles.notice} ${bad ? styles.bad : ''}`}>
          {text}
        </div>
      ))}
    </div>
  )
}
