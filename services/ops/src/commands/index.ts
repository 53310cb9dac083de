import type { Command } from '../command.ts'
import { acceptAuditLoss } from './accept-audit-loss.ts'
import { auditHead } from './audit-head.ts'
import { backup } from './backup.ts'
import { createApp } from './create-app.ts'
import { createBucket } from './create-bucket.ts'
import { deadLetters } from './dead-letters.ts'
import { deliveries } from './deliveries.ts'
import { lists } from './lists.ts'
import { migrate } from './migrate.ts'
import { pack } from './pack.ts'
import { recoverOwner } from './recover-owner.ts'
import { replayDecisions } from './replay-decisions.ts'
import { restore } from './restore.ts'
import { rotateKeys } from './rotate-keys.ts'
import { verifyAudit } from './verify-audit.ts'

/** By the name with which the operator calls them. */
export const commands: Readonly<Record<string, Command>> = {
  migrate,
  'create-bucket': createBucket,
  'create-app': createApp,
  'recover-owner': recoverOwner,
  'rotate-keys': rotateKeys,
  'dead-letters': deadLetters,
  deliveries,
  lists,
  'audit-head': auditHead,
  'verify-audit': verifyAudit,
  'accept-audit-loss': acceptAuditLoss,
  'replay-decisions': replayDecisions,
  pack,
  backup,
  restore,
}
