import { ApiError } from '@kyc/web-kit'
import { useCallback, useRef, useState } from 'preact/hooks'
import type { MessageKey } from '../i18n/catalogue.ts'
import { useApp } from './context.ts'

export type Task = {
  busy: boolean
  /** Message for the person about the latest failure. */
  problem: MessageKey | null
  clear: () => void
  /** Runs one task at a time; a call while another runs does nothing. */
  run: (work: () => Promise<void>) => Promise<void>
}

/** Maps a failed request to a message for the person. */
export function problemOf(error: unknown): MessageKey {
  if (!(error instanceof ApiError)) return 'error_unexpected'
  if (error.code === 'network') return 'offline'
  return error.status === 429 ? 'too_many_requests' : 'error_unexpected'
}

/**
 * Runs an action of the person: busy while it runs, with a message if it fails. A conflict means that the session
 * changed elsewhere, so the page loads the current state. `explain` may return a more specific message.
 */
export function useTask(explain: (error: ApiError) => MessageKey | null = () => null): Task {
  const { refresh, dispatch, announce, t } = useApp()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<MessageKey | null>(null)
  const running = useRef(false)
  const run = useCallback(
    async (work: () => Promise<void>) => {
      if (running.current) return
      running.current = true
      setBusy(true)
      setProblem(null)
      try {
        await work()
      } catch (error) {
        const known = error instanceof ApiError ? explain(error) : null
        if (known) setProblem(known)
        else if (error instanceof ApiError && error.status === 404) dispatch({ type: 'link_lost' })
        else if (error instanceof ApiError && error.status === 409) {
          await refresh()
          announce(t('changed_elsewhere'))
        } else setProblem(problemOf(error))
      } finally {
        running.current = false
        setBusy(false)
      }
    },
    [refresh, dispatch, announce, t, explain],
  )
  return { busy, problem, clear: () => setProblem(null), run }
}
