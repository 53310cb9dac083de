import type { Outbox } from '@kyc/bus'
import type { ServiceDeps } from '@kyc/host'
import type { SessionConfig } from '../config.ts'
import type { PrismaClient } from '../store/generated/client.ts'
import type { InsertSession } from '../store/session-writer.ts'
import type { Measures } from './measures.ts'

/** The dependencies of this service's operations. */
export type Operations = Pick<ServiceDeps, 'clock' | 'database' | 'vault' | 'logger' | 'bus'> & {
  prisma: PrismaClient
  outbox: Outbox
  insertSession: InsertSession
  config: SessionConfig
  measures: Measures
  /** Base URL of hosted links, without a trailing slash. */
  flowUrl: string
}

export const scopeOf = (session: { app_id: string; session_id: string }) => ({
  app_id: session.app_id,
  session_id: session.session_id,
})
