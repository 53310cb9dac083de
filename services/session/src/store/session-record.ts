import type { DecisionReason, Environment, SessionStatus, WorkflowConfig } from '@kyc/common'

/** A row of `session` with the config of its workflow snapshot. */
export type SessionRecord = {
  seq: string
  session_id: string
  app_id: string
  environment: Environment
  workflow_id: string
  workflow_version: number
  config: WorkflowConfig
  status: SessionStatus
  decision_reason: DecisionReason | null
  sequence: number
  round: number
  vendor_data: string | null
  callback_url: string | null
  created_via: 'api' | 'console'
  test_scenario: string | null
  sealed_personal: Buffer | null
  sealed_identity: Buffer | null
  created_at: Date
  updated_at: Date
  started_at: Date | null
  submitted_at: Date | null
  completed_at: Date | null
  expires_at: Date
  due_at: Date | null
  last_activity_at: Date | null
  purged_at: Date | null
  in_review_at: Date | null
  assignee_id: string | null
  assigned_at: Date | null
  held_until: Date | null
  warning_count: number
  worst_severity: 'medium' | 'high' | null
}

/** The columns of a row that lists use. */
export type SessionRow = Omit<SessionRecord, 'config'>
