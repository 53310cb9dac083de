import { useApp } from './context.ts'
import { type Task, useTask } from './use-task.ts'

/** Starts the session in the language of this page, because the person must be able to read the consent text. */
export function useBegin(): Task & { begin: () => Promise<void> } {
  const { api, language, flow, dispatch } = useApp()
  const task = useTask()
  const begin = () =>
    task.run(async () => {
      if (flow?.status !== 'not_started') return
      dispatch({ type: 'loaded', flow: await api.start({ locale: language }) })
    })
  return { ...task, begin }
}
