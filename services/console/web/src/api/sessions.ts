import type { DecisionReason } from '@kyc/common'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { SessionsSearch } from '../app/search.ts'
import { api, type Got } from './client.ts'

export type SessionRow = Got<'/console/api/apps/:app_id/sessions'>['data'][number]
export type SessionDetail = Got<'/console/api/apps/:app_id/sessions/:session_id'>

const startOf = (day: string | undefined) => (day === undefined ? undefined : `${day}T00:00:00Z`)
/** The filter excludes its end, so send the start of the next day to include the whole last day. */
const endOf = (day: string | undefined) =>
  day === undefined
    ? undefined
    : `${new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`

export const sessionsQuery = (appId: string, search: SessionsSearch) =>
  infiniteQueryOptions({
    queryKey: ['app', appId, 'sessions', search],
    queryFn: ({ pageParam }) =>
      api.get('/console/api/apps/:app_id/sessions', {
        params: { app_id: appId },
        query: {
          status: search.status,
          reason: search.reason as DecisionReason | undefined,
          warning: search.warning,
          workflow_id: search.workflow,
          assignee: search.assignee,
          vendor_data: search.vendor_data,
          name: search.name,
          session_id: search.id,
          created_from: startOf(search.from),
          created_to: endOf(search.to),
          cursor: pageParam,
          limit: 50,
        },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })

/** Cached only while the view is open, because the response contains personal data. */
export const sessionQuery = (appId: string, sessionId: string) =>
  queryOptions({
    queryKey: ['app', appId, 'session', sessionId],
    queryFn: () =>
      api.get('/console/api/apps/:app_id/sessions/:session_id', {
        params: { app_id: appId, session_id: sessionId },
      }),
    gcTime: 0,
    staleTime: 30_000,
    refetchOnWindowFocus: false,
  })
