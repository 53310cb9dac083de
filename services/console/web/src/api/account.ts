import type { ConsoleAction } from '@kyc/common'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api, type Got, keepCsrfToken } from './client.ts'

export type Account = Got<'/console/api/me'>

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => keepCsrfToken(await api.get('/console/api/me', {})),
  staleTime: 60_000,
})

export const useAccount = (): Account => useSuspenseQuery(accountQuery).data

/** Null if the role allows the action; otherwise the reason to show on a disabled button. */
export function useReasonAgainst(): (action: ConsoleAction) => string | null {
  const { actions, user } = useAccount()
  return (action) => (actions.includes(action) ? null : `The role ${user.role} does not allow this`)
}
