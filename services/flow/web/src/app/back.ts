import { useEffect } from 'preact/hooks'

type Handler = () => void
const handlers: Handler[] = []
let ready = false

/** An extra history entry intercepts Back. Once no handler is left, the next Back leaves the page. */
function prepare(): void {
  if (ready) return
  ready = true
  addEventListener('popstate', () => {
    const handler = handlers.at(-1)
    if (!handler) return
    if (handlers.length > 1) history.pushState(null, '')
    handler()
  })
}

/** While the component is mounted, Back calls `onBack` instead of leaving the page. */
export function useBack(onBack: Handler): void {
  useEffect(() => {
    prepare()
    if (handlers.length === 0) history.pushState(null, '')
    handlers.push(onBack)
    return () => {
      handlers.splice(handlers.indexOf(onBack), 1)
    }
  }, [onBack])
}
