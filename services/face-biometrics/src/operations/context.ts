import type { Outbox } from '@kyc/bus'
import type { sessionSubmitted } from '@kyc/common'
import type { ServiceDeps } from '@kyc/host'
import type { z } from 'zod'
import type { FaceEngine } from '../engine/face-engine.ts'
import type { PrismaClient } from '../store/generated/client.ts'
import type { FaceGallery } from './face-gallery.ts'

/** The deps of this service's operations. */
export type Operations = Pick<ServiceDeps, 'clock' | 'database' | 'vault' | 'logger'> & {
  prisma: PrismaClient
  outbox: Outbox
  engine: FaceEngine
  gallery: FaceGallery
}

export type Submitted = z.output<typeof sessionSubmitted.payload>
