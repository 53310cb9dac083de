import type { SessionStatus, WorkflowConfig } from '@kyc/common'

/** When the next time-based transition of a session is due, for each status that does not last. */
export function dueAt(
  status: SessionStatus,
  times: { expires_at: Date; last_activity_at: Date | null; submitted_at: Date | null },
  limits: Pick<WorkflowConfig, 'abandon_after_minutes'> & { processing_deadline_ms: number },
): Date | null {
  if (status === 'not_started') return times.expires_at
  if (status === 'in_progress') {
    const lastSeen = times.last_activity_at?.getTime() ?? Number.POSITIVE_INFINITY
    const quiet = lastSeen + limits.abandon_after_minutes * 60_000
    return new Date(Math.min(quiet, times.expires_at.getTime()))
  }
  if (status === 'processing' && times.submitted_at) {
    return new Date(times.submitted_at.getTime() + limits.processing_deadline_ms)
  }
  return null
}
