import { ApiError } from '@kyc/web-kit'
import { useCallback, useRef, useState } from 'preact/hooks'
import type { MessageKey } from '../i18n/catalogue.ts'
import { useApp } from './context.ts'

export type Task = {
  busy: boolean
  /** What went wrong the last time, for the person. */
  problem: MessageKey | null
  clear: () => void
  /** Runs one thing at a time; a second call while it runs does nothing. */
  run: (work: () => Promise<void>) => Promise<void>
}

/** Turns the failure of a request into what the person should know. */
export function problemOf(error: unknown): MessageKey {
  if (!(error instanceof ApiError)) return 'error_unexpected'
  if (error.code === 'network') return 'offline'
  return error.status === 429 ? 'too_many_requests' : 'error_unexpected'
}

/**
 * For what a person starts: busy while it runs, and its failure told. A conflict means that the session moved on
 * elsewhere: the page goes where it stands now. `explain` may know better what a failure means.
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
