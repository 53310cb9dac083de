import type { DecisionReason } from '@kyc/common'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Got } from './client.ts'

/** The number of sessions that wait for a reviewer. */
export const waitingQuery = (appId: string) =>
  queryOptions({
    queryKey: ['app', appId, 'queue', 'waiting'],
    queryFn: async () =>
      (await api.get('/console/api/apps/:app_id/queue', { params: { app_id: appId }, query: { limit: 1 } }))
        .waiting,
  })

export type QueueRow = Got<'/console/api/apps/:app_id/queue'>['data'][number]
type Filter = { assignee?: 'me' | 'none'; reason?: string; workflow?: string; waiting?: number }

export const queueQuery = (appId: string, { assignee, reason, workflow, waiting }: Filter) =>
  infiniteQueryOptions({
    queryKey: ['app', appId, 'queue', 'list', { assignee, reason, workflow, waiting }],
    queryFn: ({ pageParam }) =>
      api.get('/console/api/apps/:app_id/queue', {
        params: { app_id: appId },
        query: {
          assignee,
          reason: reason as DecisionReason | undefined,
          workflow_id: workflow,
          waiting_over_minutes: waiting,
          cursor: pageParam,
          limit: 50,
        },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
