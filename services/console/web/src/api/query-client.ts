import { ApiError } from '@kyc/web-kit'
import { QueryClient } from '@tanstack/react-query'

/** What a second try may cure: no answer, or one that was the server's fault. */
const passing = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, error) => count < 2 && passing(error) },
    mutations: { retry: false },
  },
})
