import type { Bus, Outbox } from '@kyc/bus'
import type { FlowSession } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import type { FlowConfig } from '../config.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { PrismaClient } from '../store/generated/client.ts'

/** The deps of this service's operations. */
export type Operations = Pick<ServiceDeps, 'clock' | 'database' | 'vault' | 'logger'> & {
  prisma: PrismaClient
  bus: Bus
  outbox: Outbox
  config: FlowConfig
  mailer: Mailer
  flowUrl: string
}

/** One request of a person: the session that its token identifies, and the client address. */
export type Visit = {
  session: FlowSession
  token_sha256: string
  address: string | null
  traceparent: string
}

export const scopeOf = (session: { app_id: string; session_id: string }) => ({
  app_id: session.app_id,
  session_id: session.session_id,
})
