import { createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createOutbox } from '@kyc/bus'
import { composeService, type Service, type ServiceDeps, type ServiceSchema } from '@kyc/host'
import { createReplies } from '@kyc/http'
import { createOutboundClient, type OutboundClient } from '@kyc/outbound'
import type { SanctionsConfig } from './config.ts'
import { screeningRouter } from './http/routes.ts'
import { createListRefreshJob } from './jobs/list-refresh-job.ts'
import { type ListSource, listSources } from './lists/sources.ts'
import { subscribe } from './messages/subscribe.ts'
import { createRejectionCounter, type RefreshDeps, type ScreeningDeps } from './operations/deps.ts'
import { ActiveLists } from './serving/active-lists.ts'
import { FolderReadings } from './store/folder-readings.ts'
import { ListStore } from './store/lists.ts'
import { createPrisma } from './store/prisma.ts'

export { sanctionsSettings } from './config.ts'

export const sanctionsScreeningSchema: ServiceSchema = {
  schema: 'sanctions_screening',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

/**
 * Sanctions screening: the `aml` check of sessions, monitoring of approved sessions, and the standalone AML checks.
 * Tests pass their own `outbound` in place of the guarded HTTP client.
 */
export async function sanctionsScreeningService(
  deps: ServiceDeps,
  config: SanctionsConfig,
  outbound: OutboundClient = createOutboundClient({
    allowPrivate: false,
    ownAddresses: [],
    logger: deps.logger,
  }),
): Promise<Service> {
  const { bus, clock, database, logger, metrics } = deps
  const prisma = createPrisma(database)
  const listStore = new ListStore(prisma, database, clock)
  const folderReadings = new FolderReadings(prisma, clock)
  const listFolder = config.SANCTIONS_DIR
  const sources = downloadSources(config)
  const activeLists = new ActiveLists({
    listStore,
    clock,
    logger,
    metrics,
    staleAfterDays: listFolder === undefined ? config.SANCTIONS_REFETCH_DAYS : null,
  })
  const refreshDeps: RefreshDeps = {
    listStore,
    folderReadings,
    database,
    outbound,
    clock,
    logger,
    rejections: createRejectionCounter(metrics),
    listFolder,
    packKey: await readPackKey(config),
    sources,
    schedule: { checkHours: config.SANCTIONS_CHECK_HOURS, refetchDays: config.SANCTIONS_REFETCH_DAYS },
    keepVersions: config.SANCTIONS_KEEP_VERSIONS,
    random: Math.random,
  }
  const screeningDeps: ScreeningDeps = {
    ...deps,
    outbox: createOutbox({ clock }),
    activeLists,
    listStore,
    folderReadings,
    listFolder,
    downloadedLists: sources.map(({ list }) => list),
  }
  const refresh = createListRefreshJob(refreshDeps, activeLists)
  subscribe(bus, screeningDeps, refresh)
  const replies = createReplies(deps)
  return composeService(deps, {
    name: 'sanctions-screening',
    replies,
    routers: [screeningRouter(screeningDeps, { ...deps, replies })],
    probes: [
      {
        name: 'lists',
        check: async () => {
          if (!activeLists.ready) throw new Error('not loaded yet')
        },
      },
    ],
    jobs: [refresh.job, { name: 'prisma', start: () => {}, stop: () => prisma.$disconnect() }],
  })
}

function downloadSources(config: SanctionsConfig): ListSource[] {
  if (!config.SANCTIONS_DOWNLOAD || config.SANCTIONS_DIR !== undefined) return []
  return listSources({
    lists: config.SANCTIONS_LISTS,
    mirrors: config.SANCTIONS_SOURCES,
    redirectHosts: config.SANCTIONS_REDIRECT_HOSTS,
  })
}

async function readPackKey({ SANCTIONS_PACK_KEY_FILE: file }: SanctionsConfig) {
  return file === undefined ? null : createPublicKey(await readFile(file))
}
