import { useRef, useState } from 'react'
import { notifyError } from '../app/notices.tsx'

/** Runs one request at a time, reports whether it is running, and by default shows its failure. */
export function useAction<A extends unknown[]>(
  act: (...args: A) => Promise<void>,
  onError: (error: unknown) => void = notifyError,
): readonly [run: (...args: A) => void, busy: boolean] {
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const run = (...args: A) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    act(...args)
      .catch(onError)
      .finally(() => {
        running.current = false
        setBusy(false)
      })
  }
  return [run, busy]
}
