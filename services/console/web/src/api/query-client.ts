import { ApiError } from '@kyc/web-kit'
import { QueryClient } from '@tanstack/react-query'

/** Errors that a retry may resolve: no response, or a server error. */
const passing = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, error) => count < 2 && passing(error) },
    mutations: { retry: false },
  },
})
