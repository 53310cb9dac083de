import { type SessionListItem, toTimestamp } from '@kyc/common'
import type { SessionRow } from '../store/session-record.ts'
import { presentAssignment } from './hold.ts'
import { presentSession } from './present-session.ts'

export const presentListItem = (row: SessionRow & { workflow_name: string }): SessionListItem => ({
  ...presentSession(row),
  workflow_name: row.workflow_name,
  workflow_version: row.workflow_version,
  round: row.round,
  in_review_since: row.status === 'in_review' && row.in_review_at ? toTimestamp(row.in_review_at) : null,
  assignment: presentAssignment(row),
  warnings: { count: row.warning_count, worst: row.worst_severity },
})
