import type { SessionStatus } from '@kyc/common'

export const sessionStatuses = [
  'in_review',
  'approved',
  'declined',
  'processing',
  'in_progress',
  'not_started',
  'expired',
  'abandoned',
] as const satisfies readonly SessionStatus[]
