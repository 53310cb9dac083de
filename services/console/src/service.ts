import { fileURLToPath } from 'node:url'
import { createOutbox } from '@kyc/bus'
import { composeService, periodicJob, type Service, type ServiceDeps, type ServiceSchema } from '@kyc/host'
import express from 'express'
import type { ConsoleConfig } from './config.ts'
import { createHeadSigner } from './domain/audit-head.ts'
import { mountAccount } from './http/account-routes.ts'
import { mountApps } from './http/app-routes.ts'
import { mountAudit } from './http/audit-routes.ts'
import { createAuthority } from './http/authority.ts'
import { cookieRule } from './http/cookie.ts'
import { mountLists } from './http/list-routes.ts'
import { mountLive } from './http/live-routes.ts'
import { pagesRouter } from './http/pages.ts'
import { mountPasskeys } from './http/passkey-routes.ts'
import { mountSessions } from './http/session-routes.ts'
import { mountUsers } from './http/user-routes.ts'
import { mountViews } from './http/view-routes.ts'
import { mountWorkflows } from './http/workflow-routes.ts'
import { LiveFeed } from './live/feed.ts'
import { createMailer } from './mail/mailer.ts'
import { subscribe } from './messages/subscribe.ts'
import type { Operations } from './operations/context.ts'
import { auditHeadJob } from './operations/store-audit-head.ts'
import { pruneLiveEvents } from './store/live-events.ts'
import { pruneAccounts } from './store/prune-accounts.ts'

export { type ConsoleConfig, consoleSettings } from './config.ts'
export { createHeadSigner, type HeadSigner } from './domain/audit-head.ts'
export { acceptAuditLoss } from './operations/accept-audit-loss.ts'
export { storeAuditHead } from './operations/store-audit-head.ts'
export { verifyAudit } from './operations/verify-audit.ts'
export { appendAudit } from './store/audit-log.ts'

export const consoleSchema: ServiceSchema = {
  schema: 'console',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

const minuteMs = 60_000
/** How long live events are retained for pages that reconnect. */
const keepLiveMs = 60 * minuteMs

/** The console: accounts, apps, the audit log and the review of sessions. */
export async function consoleService(deps: ServiceDeps, config: ConsoleConfig): Promise<Service> {
  const { database, clock, bus, vault, logger, publicUrl } = deps
  const pagesUrl = (config.CONSOLE_URL ?? publicUrl).replace(/\/$/, '')
  // Cookies do not distinguish ports, so compare host names only.
  const ownHost = new URL(pagesUrl).hostname !== new URL(publicUrl).hostname
  const cookie = cookieRule(pagesUrl, ownHost)
  const browserCookie = cookieRule(pagesUrl, ownHost, 'kyc_console_browser')
  const signer = createHeadSigner(config.AUDIT_SIGNING_KEY, config.AUDIT_PREVIOUS_KEYS)
  const operations: Operations = {
    database,
    bus,
    outbox: createOutbox({ clock }),
    clock,
    vault,
    logger,
    mailer: createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM }),
    pagesUrl,
  }
  subscribe(operations)

  const origins = [new URL(pagesUrl).origin]
  const consoleDeps = {
    ...deps,
    authorizeConsole: createAuthority({ database, clock, cookie, browserCookie, origins }),
  }
  const router = express.Router()
  mountAccount(router, operations, { ...consoleDeps, cookie, browserCookie })
  mountPasskeys(router, operations, { ...consoleDeps, cookie })
  mountUsers(router, operations, consoleDeps)
  mountApps(router, operations, consoleDeps)
  mountAudit(router, operations, signer, consoleDeps)
  mountLists(router, operations, consoleDeps)
  mountSessions(router, operations, consoleDeps)
  mountWorkflows(router, operations, consoleDeps)
  mountViews(router, operations, consoleDeps)
  const feed = new LiveFeed(database, logger)
  mountLive(router, operations, feed, consoleDeps)

  const heads = periodicJob({
    name: 'audit head',
    everyMs: minuteMs,
    logger,
    work: auditHeadJob({ database, vault, clock, signer, logger }, deps.metrics),
  })
  const prune = periodicJob({
    name: 'ended sessions and links',
    everyMs: 60 * minuteMs,
    logger,
    work: () => pruneAccounts(database, clock.now()),
  })
  const forget = periodicJob({
    name: 'old live updates',
    everyMs: 5 * minuteMs,
    logger,
    work: () => pruneLiveEvents(database, new Date(clock.now().getTime() - keepLiveMs)),
  })
  return composeService(deps, {
    name: 'console',
    routers: [router, pagesRouter()],
    jobs: [heads, prune, forget, feed.job()],
  })
}
