import type { Outbox } from '@kyc/bus'
import type { ServiceDeps } from '@kyc/host'
import type { FaceEngine } from '../engine/face-engine.ts'
import type { PrismaClient } from '../store/generated/client.ts'
import type { FaceGallery } from './face-gallery.ts'

/** What the operations of this service work with. */
export type Operations = Pick<ServiceDeps, 'clock' | 'database' | 'vault' | 'logger'> & {
  prisma: PrismaClient
  outbox: Outbox
  engine: FaceEngine
  gallery: FaceGallery
}

export type Scope = { app_id: string; session_id: string }

export const scopeOf = ({ app_id, session_id }: Scope): Scope => ({ app_id, session_id })
