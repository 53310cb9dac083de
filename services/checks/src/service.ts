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
import { AddressDatabase } from './addresses/address-database.ts'
import { CertificateFolder } from './certificates/certificate-folder.ts'
import type { ChecksConfig } from './config.ts'
import { documentChecksRouter } from './http/document-checks.ts'
import { textChecksRouter } from './http/text-checks.ts'
import { subscribe } from './messages/subscribe.ts'
import { type DocumentReader, PooledDocumentReader } from './reading/document-reader.ts'
import { ReadingPool } from './reading/reading-pool.ts'
import { BlockedDocuments } from './store/blocked-documents.ts'
import { ClientVisits } from './store/client-visits.ts'
import { DocumentFingerprints } from './store/document-fingerprints.ts'
import { DocumentSides } from './store/document-sides.ts'
import { createPrisma } from './store/prisma.ts'

export { type ChecksConfig, checksSettings, readChecksConfig } from './config.ts'

export const checksSchema: ServiceSchema = {
  schema: 'checks',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

/**
 * Documents, age, duplicates and addresses; the standalone checks of documents, MRZ, PAN and Aadhaar. Photos are read
 * in separate threads unless a test passes a `standInReader`.
 */
export async function checksService(
  deps: ServiceDeps,
  config: ChecksConfig,
  standInReader?: DocumentReader,
): Promise<Service> {
  const { bus, clock, database, logger } = deps
  const certificates = new CertificateFolder(config.AADHAAR_CERTIFICATES_DIR ?? null, deps)
  const reader = standInReader ?? pooledReader(deps, config, certificates)
  const [addresses] = await Promise.all([
    AddressDatabase.open({
      country: config.IP_COUNTRY_DATABASE,
      asn: config.IP_ASN_DATABASE,
      hostingRanges: config.IP_HOSTING_RANGES,
      anonymizerRanges: config.IP_ANONYMIZER_RANGES,
    }),
    certificates.current(),
  ])
  const prisma = createPrisma(database)
  const visits = new ClientVisits()
  subscribe(bus, {
    deps,
    outbox: createOutbox({ clock }),
    reader,
    addresses,
    sides: new DocumentSides(prisma, deps.vault),
    fingerprints: new DocumentFingerprints(),
    blocked: new BlockedDocuments(),
    visits,
  })
  const replies = createReplies(deps)
  const routing = { ...deps, replies }
  return composeService(deps, {
    name: 'checks',
    replies,
    routers: [textChecksRouter(routing, certificates), documentChecksRouter(routing, reader)],
    jobs: [
      { name: 'prisma', start: () => {}, stop: () => prisma.$disconnect() },
      readerJob(reader, deps),
      periodicJob({
        name: 'forget visits',
        everyMs: HOUR_MS,
        work: async () => {
          await visits.deleteBefore(database, new Date(clock.now().getTime() - VISITS_KEPT_HOURS * HOUR_MS))
        },
        logger,
      }),
    ],
  })
}

const HOUR_MS = 3_600_000
/** Visits are counted over the last day. */
const VISITS_KEPT_HOURS = 25

/** Uses newer models from the model folder where available, otherwise the built-in ones. */
function pooledReader(
  { models }: ServiceDeps,
  config: ChecksConfig,
  certificates: CertificateFolder,
): PooledDocumentReader {
  const path = async (name: string) => (await models.resolve(name))?.path ?? null
  const open = async () => {
    const [detection, recognition, secondReader, freeSizeFaces, faces] = await Promise.all([
      path('ppocr_v6_det'),
      path('ppocr_v6_rec'),
      path('tesseract_mrz'),
      path('yunet_dynamic'),
      path('yunet'),
    ])
    return ReadingPool.open({
      models: { detection, recognition, secondReader, faces: freeSizeFaces ?? faces },
      maxQueue: config.DOCUMENT_READER_QUEUE,
      ...(config.DOCUMENT_READER_THREADS ? { threads: config.DOCUMENT_READER_THREADS } : {}),
    })
  }
  return new PooledDocumentReader(open, () => certificates.current())
}

/** Loads and warms up the models while the service already accepts requests; ends the threads with the service. */
function readerJob(reader: DocumentReader, { logger }: ServiceDeps): Job {
  return {
    name: 'document reader',
    start: () => {
      if (reader instanceof PooledDocumentReader) {
        reader.start((error) => logger.error('the document reader could not start', { error }))
      }
    },
    stop: () => (reader instanceof PooledDocumentReader ? reader.close() : undefined),
  }
}
