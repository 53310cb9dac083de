import { useEffect } from 'preact/hooks'
import { pause, waitBefore } from '../api/retry.ts'
import { useApp } from './context.ts'

/** Keeps the state up to date while the page is open, whether a phone, a check or a reviewer changes it. */
export function useFollow(): void {
  const { api, dispatch } = useApp()
  useEffect(() => {
    const left = new AbortController()
    const follow = async () => {
      let revision: string | undefined
      let failures = 0
      while (!left.signal.aborted) {
        try {
          const answer = await api.follow(revision, left.signal)
          failures = 0
          if (answer.revision !== revision) dispatch({ type: 'loaded', flow: answer.state })
          revision = answer.revision
        } catch {
          failures++
          await pause(waitBefore(failures, null, Math.random), left.signal)
        }
      }
    }
    void follow()
    return () => left.abort()
  }, [api, dispatch])
}
