import { fileURLToPath } from 'node:url'
import { createOutbox } from '@kyc/bus'
import {
  composeService,
  type Job,
  periodicJob,
  type Service,
  type ServiceDeps,
  type ServiceSchema,
} from '@kyc/host'
import { createReplies } from '@kyc/http'
import { prismaTransactions } from '@kyc/runtime'
import { PrismaPg } from '@prisma/adapter-pg'
import type { FaceBiometricsConfig } from './config.ts'
import { FaceEngine } from './engine/face-engine.ts'
import { faceRouter } from './http/routes.ts'
import { subscribe } from './messages/subscribe.ts'
import { cleanUp } from './operations/clean-up.ts'
import type { Operations } from './operations/context.ts'
import { FaceGallery } from './operations/face-gallery.ts'
import { PrismaClient } from './store/generated/client.ts'

export { type FaceBiometricsConfig, faceBiometricsSettings, readFaceBiometricsConfig } from './config.ts'
export { FaceEngine } from './engine/face-engine.ts'

export const faceBiometricsSchema: ServiceSchema = {
  schema: 'face_biometrics',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

const CLEAN_UP_EVERY_MS = 60 * 60 * 1000

/** Face detection, comparison, liveness and duplicates, and the standalone face match. */
export async function faceBiometricsService(
  deps: ServiceDeps,
  config: FaceBiometricsConfig,
): Promise<Service> {
  const { database, clock, vault, logger, models } = deps
  const engine = new FaceEngine({
    resolveModel: (name) => models.resolve(name),
    threads: config.FACE_THREADS,
    concurrency: config.FACE_CONCURRENCY,
    queueLimit: config.FACE_QUEUE_LIMIT,
  })
  const prisma = new PrismaClient({
    adapter: new PrismaPg(database.pool, { schema: database.schema }),
    transactionOptions: prismaTransactions,
  })
  const operations: Operations = {
    clock,
    database,
    vault,
    logger,
    prisma,
    outbox: createOutbox({ clock }),
    engine,
    gallery: new FaceGallery({ database, prisma, vault }),
  }
  subscribe(deps.bus, operations)
  const replies = createReplies(deps)
  return composeService(deps, {
    name: 'face-biometrics',
    replies,
    routers: [faceRouter(engine, { ...deps, replies })],
    jobs: [
      { name: 'prisma', start: () => {}, stop: () => prisma.$disconnect() },
      modelsJob(engine, deps),
      periodicJob({
        name: 'clean-up',
        everyMs: CLEAN_UP_EVERY_MS,
        work: () => cleanUp(operations),
        logger,
      }),
    ],
  })
}

/** Loads the models in the background, so that the service accepts requests from the start. */
function modelsJob(engine: FaceEngine, { logger, metrics }: ServiceDeps): Job {
  const waiting = metrics.gauge('face_queue_waiting', 'Images that wait for a place in the engine')
  let sampling: NodeJS.Timeout | undefined
  let warming: Promise<void> = Promise.resolve()
  return {
    name: 'face models',
    start: () => {
      warming = engine.warmUp().then(
        (missing) => {
          if (missing.length > 0)
            logger.warn('face models are missing: checks that need them cannot run', { models: missing })
          else logger.info('the face models are loaded')
        },
        (error: unknown) => logger.error('the face models could not be warmed up', { error }),
      )
      sampling = setInterval(() => waiting.set(engine.load.waiting), 5_000)
      sampling.unref()
    },
    stop: async () => {
      clearInterval(sampling)
      await warming
      await engine.close()
    },
  }
}
