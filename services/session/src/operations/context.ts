import type { Outbox } from '@kyc/bus'
import type { ServiceDeps } from '@kyc/host'
import type { SessionConfig } from '../config.ts'
import type { PrismaClient } from '../store/generated/client.ts'
import type { InsertSession } from '../store/session-writer.ts'
import type { Measures } from './measures.ts'

/** What the operations of this service work with. */
export type Operations = Pick<ServiceDeps, 'clock' | 'database' | 'vault' | 'logger' | 'bus'> & {
  prisma: PrismaClient
  outbox: Outbox
  insertSession: InsertSession
  config: SessionConfig
  measures: Measures
  /** Base of hosted links, without a slash at the end. */
  flowUrl: string
}

export const scopeOf = (session: { app_id: string; session_id: string }) => ({
  app_id: session.app_id,
  session_id: session.session_id,
})
