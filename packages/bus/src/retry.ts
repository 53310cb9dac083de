import type { DeadLetterReason } from './bus.ts'
import { isTransient, PermanentError } from './errors.ts'

/**
 * 5 s, 1 min, 10 min: for a brief fault, a restart and an outage. Fixed tiers, because a message with a long TTL would
 * block messages with shorter ones behind it.
 */
export const defaultRetryTiersMs: readonly number[] = [5_000, 60_000, 600_000]

/** The outcome of one delivery. */
export type Outcome =
  | { kind: 'done' }
  /** Deliver again after `delayMs`, as attempt number `attempt`. */
  | { kind: 'retry'; delayMs: number; attempt: number; detail: string }
  | { kind: 'dead'; reason: DeadLetterReason; detail: string }

const maxDetailLength = 300

export const describeError = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : 'Not an error object').slice(
    0,
    maxDetailLength,
  )

/** Decides by the error and the attempt number. When attempt 1 fails, the message goes to the first tier. */
export function outcomeOfError(error: unknown, attempt: number, tiersMs: readonly number[]): Outcome {
  const detail = describeError(error)
  if (error instanceof PermanentError) return { kind: 'dead', reason: 'permanent_error', detail }
  const [firstTier] = tiersMs
  if (isTransient(error) && firstTier !== undefined)
    return { kind: 'retry', delayMs: firstTier, attempt, detail }
  const delayMs = tiersMs[attempt - 1]
  return delayMs === undefined
    ? { kind: 'dead', reason: 'attempts_exhausted', detail }
    : { kind: 'retry', delayMs, attempt: attempt + 1, detail }
}
