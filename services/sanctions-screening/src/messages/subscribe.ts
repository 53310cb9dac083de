import { type Bus, createConsumer } from '@kyc/bus'
import {
  amlMatchReviewed,
  getListStatus as getListStatusRequest,
  identityExtracted,
  refreshLists,
  sanctionsListUpdated,
  screenAgain,
  sessionStatusChanged,
} from '@kyc/common'
import { consumePurges } from '@kyc/host'
import type { ListRefreshJob } from '../jobs/list-refresh-job.ts'
import type { ScreeningDeps } from '../operations/deps.ts'
import { followSessionStatus } from '../operations/follow-session-status.ts'
import { getListStatus } from '../operations/get-list-status.ts'
import { purgeSession } from '../operations/purge-session.ts'
import { recordMatchVerdict } from '../operations/record-match-verdict.ts'
import { rescreenMonitoredSessions } from '../operations/rescreen-monitored-sessions.ts'
import { screenSession } from '../operations/screen-session.ts'
import { screenSessionAgain } from '../operations/screen-session-again.ts'

const service = 'sanctions-screening'

/** Registers the events and requests that this service handles. */
export function subscribe(bus: Bus, deps: ScreeningDeps, { refreshNow }: ListRefreshJob): void {
  const { database, outbox } = deps
  const consumer = createConsumer({ service, bus, database, outbox })
  consumer.consume(identityExtracted, screenSession(deps))
  consumer.consume(amlMatchReviewed, recordMatchVerdict(deps))
  consumePurges(consumer, { service, deleteSession: purgeSession })
  bus.subscribe(sessionStatusChanged, { service, handle: (message) => followSessionStatus(deps, message) })
  bus.subscribe(sanctionsListUpdated, {
    service,
    handle: (message) => rescreenMonitoredSessions(deps, message),
  })
  bus.respond(screenAgain, (request) => screenSessionAgain(deps, request))
  bus.respond(getListStatusRequest, () => getListStatus(deps))
  bus.respond(refreshLists, async ({ lists }) => {
    refreshNow(lists)
    return { started: true }
  })
}
