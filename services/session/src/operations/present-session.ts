import { type SessionSummary, toTimestamp } from '@kyc/common'
import type { SessionRow } from '../store/session-record.ts'

const orNull = (date: Date | null) => (date ? toTimestamp(date) : null)

export const presentSession = (row: SessionRow): SessionSummary => ({
  session_id: row.session_id,
  status: row.status,
  decision_reason: row.decision_reason,
  workflow_id: row.workflow_id,
  vendor_data: row.vendor_data,
  created_via: row.created_via,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
  started_at: orNull(row.started_at),
  submitted_at: orNull(row.submitted_at),
  completed_at: orNull(row.completed_at),
  expires_at: toTimestamp(row.expires_at),
  purged_at: orNull(row.purged_at),
})
