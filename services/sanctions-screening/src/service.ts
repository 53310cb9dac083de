import { createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  amlMatchReviewed,
  checkEndpoints,
  getListStatus,
  identityExtracted,
  refreshLists,
  sanctionsListUpdated,
  screenAgain,
  sessionPurged,
  sessionStatusChanged,
} from '@kyc/common'
import { composeService, type Service, type ServiceDeps, type ServiceSchema } from '@kyc/host'
import { createReplies, mount } from '@kyc/http'
import { createOutboundClient, type OutboundClient } from '@kyc/outbound'
import express from 'express'
import type { SanctionsConfig } from './config.ts'
import { loaded } from './http/loaded.ts'
import { answerFor } from './http/screen-name.ts'
import { writeAnswers } from './http/screen-names.ts'
import { screenedAt } from './http/screened-at.ts'
import { scheduleListRefresh } from './jobs/keep-lists-fresh.ts'
import { ListRefresher } from './jobs/refresh-lists.ts'
import { listSources } from './lists/sources.ts'
import { forgetSession } from './messages/forget-session.ts'
import { rememberVerdict } from './messages/remember-verdict.ts'
import { MonitoredRescreener } from './messages/rescreen-monitored.ts'
import { SessionScreener } from './messages/screen-session.ts'
import { ActiveLists } from './serving/serving-lists.ts'
import { ListStore } from './store/lists.ts'
import { MatchVerdicts } from './store/match-verdicts.ts'
import { MonitoredSessions } from './store/monitored-sessions.ts'
import { createPrisma } from './store/prisma.ts'

export { readSanctionsConfig, type SanctionsConfig, sanctionsSettings } from './config.ts'

const name = 'sanctions-screening'

export const sanctionsScreeningSchema: ServiceSchema = {
  schema: 'sanctions_screening',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

/** The front door. `outbound` is the guarded client unless a test stands in for the publishers. */
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
  const store = new ListStore(prisma, database, clock)
  const monitored = new MonitoredSessions()
  const verdicts = new MatchVerdicts()
  const offline = config.SANCTIONS_DIR !== undefined
  const sources = config.SANCTIONS_DOWNLOAD && !offline ? sourcesOf(config) : []
  const lists = new ActiveLists({
    store,
    clock,
    logger,
    metrics,
    staleAfterDays: offline ? null : config.SANCTIONS_REFETCH_DAYS,
  })
  const refresher = new ListRefresher({
    store,
    database,
    outbound,
    clock,
    logger,
    metrics,
    directory: config.SANCTIONS_DIR,
    packKey:
      config.SANCTIONS_PACK_KEY_FILE === undefined
        ? null
        : createPublicKey(await readFile(config.SANCTIONS_PACK_KEY_FILE)),
    sources,
    schedule: { checkHours: config.SANCTIONS_CHECK_HOURS, refetchDays: config.SANCTIONS_REFETCH_DAYS },
    keepVersions: config.SANCTIONS_KEEP_VERSIONS,
    random: Math.random,
  })
  const fresh = scheduleListRefresh({ refresher, lists, database, logger, offline })
  const screener = new SessionScreener(deps, lists, monitored, verdicts)
  const rescreener = new MonitoredRescreener(deps, lists, store, monitored, verdicts)

  bus.subscribe(identityExtracted, {
    service: name,
    prefetch: 16,
    handle: (message) => screener.handle(message),
  })
  bus.subscribe(sessionPurged, {
    service: name,
    handle: (message) => forgetSession(deps, monitored, verdicts, message),
  })
  bus.subscribe(sessionStatusChanged, {
    service: name,
    handle: (message) => rescreener.follow(message),
  })
  bus.subscribe(amlMatchReviewed, {
    service: name,
    handle: (message) => rememberVerdict(deps, { lists, store, monitored, verdicts }, message),
  })
  bus.subscribe(sanctionsListUpdated, { service: name, handle: (message) => rescreener.handle(message) })
  bus.respond(screenAgain, (request) => screener.screenAgain(request))
  bus.respond(getListStatus, async () => ({
    lists: lists.statuses(sources.map(({ list }) => list)),
    refused_files: config.SANCTIONS_DIR === undefined ? [] : await store.refusedFiles(config.SANCTIONS_DIR),
  }))
  bus.respond(refreshLists, async (request) => {
    fresh.refreshNow(request.lists)
    return { started: true }
  })

  const replies = createReplies(deps)
  const router = express.Router()
  const { screenName, screenNames } = checkEndpoints
  mount(
    router,
    { screenName, screenNames },
    {
      screenName: async (input, context) => {
        await loaded(lists)
        const serving = lists.snapshot()
        return answerFor(serving, lists, screenedAt(serving, lists, clock, context), input.body)
      },
      screenNames: async (input, context) => {
        await loaded(lists)
        const serving = lists.snapshot()
        const at = screenedAt(serving, lists, clock, context)
        await writeAnswers(context.response, { serving, lists, at, names: input.body.names })
      },
    },
    { ...deps, replies },
  )
  return composeService(deps, {
    name,
    replies,
    routers: [router],
    probes: [
      {
        name: 'lists',
        check: async () => {
          if (!lists.ready) throw new Error('not loaded yet')
        },
      },
    ],
    jobs: [fresh.job, { name: 'prisma', start: () => {}, stop: () => prisma.$disconnect() }],
  })
}

function sourcesOf(config: SanctionsConfig) {
  return listSources({
    lists: config.SANCTIONS_LISTS,
    mirrors: config.SANCTIONS_SOURCES,
    redirectHosts: config.SANCTIONS_REDIRECT_HOSTS,
  })
}
