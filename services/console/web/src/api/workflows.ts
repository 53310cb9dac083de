import { queryOptions } from '@tanstack/react-query'
import { api, type Got } from './client.ts'

export type WorkflowRow = Got<'/console/api/apps/:app_id/workflows'>['data'][number]
export type WorkflowDetail = Got<'/console/api/apps/:app_id/workflows/:workflow_id'>
export type Changes = Got<'/console/api/apps/:app_id/workflows/:workflow_id/versions/:version'>['changes']

export const workflowsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['app', appId, 'workflows'],
    queryFn: async () =>
      (await api.get('/console/api/apps/:app_id/workflows', { params: { app_id: appId } })).data,
  })

export const workflowQuery = (appId: string, workflowId: string) =>
  queryOptions({
    queryKey: ['app', appId, 'workflows', workflowId],
    queryFn: () =>
      api.get('/console/api/apps/:app_id/workflows/:workflow_id', {
        params: { app_id: appId, workflow_id: workflowId },
      }),
  })
