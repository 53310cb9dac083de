import { OutboundError } from '@kyc/outbound'
import type { ListId } from '../domain/entity.ts'
import { ListRejectedError } from '../domain/lists/rejection.ts'
import { SourceUnavailableError } from '../lists/fetch-list.ts'
import type { FailureCode } from '../store/lists.ts'
import type { RefreshDeps } from './deps.ts'

/**
 * Stores, logs and counts why a list could not be refreshed. The active version stays.
 * @throws the error itself when neither the list nor its source caused it (a database error, a defect)
 */
export async function recordRefreshFailure(
  { listStore, logger, rejections }: RefreshDeps,
  list: ListId,
  error: unknown,
): Promise<void> {
  const failure = toFailure(error)
  if (failure === null) throw error
  rejections.inc({ list, reason: failure.code })
  logger.warn('list refresh failed', { list, reason: failure.code, detail: failure.message })
  await listStore.recordFailure(list, failure.code, failure.message)
}

function toFailure(error: unknown): { code: FailureCode; message: string } | null {
  if (error instanceof ListRejectedError) return { code: error.code, message: error.message }
  if (error instanceof OutboundError)
    return { code: 'download_failed', message: `${error.code}: ${error.message}` }
  if (error instanceof SourceUnavailableError) return { code: 'download_failed', message: error.message }
  return null
}
