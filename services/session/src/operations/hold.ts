import type { Assignment } from '@kyc/common'
import { toTimestamp } from '@kyc/common'
import type { AssignmentColumns } from '../store/assignments.ts'

/** How long an assignment lasts without activity of the reviewer. */
const holdMinutes = 15

export const heldUntil = (now: Date): Date => new Date(now.getTime() + holdMinutes * 60_000)

export function presentAssignment(row: AssignmentColumns): Assignment | null {
  if (row.assignee_id === null || row.assigned_at === null) return null
  return {
    user_id: row.assignee_id,
    assigned_at: toTimestamp(row.assigned_at),
    held_until: toTimestamp(row.held_until ?? row.assigned_at),
  }
}
