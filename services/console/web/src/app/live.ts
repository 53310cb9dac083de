import type { LiveEvent } from '@kyc/common'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

const sessionTypes: readonly LiveEvent['type'][] = [
  'session.created',
  'session.status_changed',
  'session.assigned',
  'session.noted',
  'session.match_reviewed',
  'session.rescreened',
  'session.purged',
]

/**
 * One stream of server-sent events for the shown app; each event invalidates the queries that it concerns. The browser
 * reconnects by itself and sends the id of the last event. After a `reset` everything is refetched, because the missed
 * events are unknown.
 */
export function useLive(appId: string | null): void {
  const client = useQueryClient()
  useEffect(() => {
    if (appId === null) return
    const source = new EventSource(`/console/api/apps/${encodeURIComponent(appId)}/live`)
    const stale = (...key: string[]) => void client.invalidateQueries({ queryKey: ['app', appId, ...key] })
    const onSession = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as LiveEvent
      if (event.session_id) stale('session', event.session_id)
      if (event.type !== 'session.noted') {
        stale('queue')
        stale('sessions')
      }
    }
    for (const type of sessionTypes) source.addEventListener(type, onSession)
    source.addEventListener('workflow.changed', () => stale('workflows'))
    source.addEventListener('reset', () => stale())
    return () => source.close()
  }, [appId, client])
}
