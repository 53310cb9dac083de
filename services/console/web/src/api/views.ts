import { queryOptions } from '@tanstack/react-query'
import { api, type Got } from './client.ts'

export type SavedView = Got<'/console/api/apps/:app_id/views'>['data'][number]

/** The user's own saved views, of every page. */
export const viewsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['app', appId, 'views'],
    queryFn: async () =>
      (await api.get('/console/api/apps/:app_id/views', { params: { app_id: appId } })).data,
  })
