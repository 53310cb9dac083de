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
import { pagesRouter } from './http/pages.ts'
import { mountUsers } from './http/user-routes.ts'
import { createMailer } from './mail/mailer.ts'
import { subscribe } from './messages/subscribe.ts'
import type { Operations } from './operations/context.ts'
import { signAuditHead } from './operations/sign-audit-head.ts'
import { pruneAccounts } from './store/prune-accounts.ts'

export { type ConsoleConfig, consoleSettings } from './config.ts'

export const consoleSchema: ServiceSchema = {
  schema: 'console',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

const minuteMs = 60_000

/** Where people decide: accounts, apps, the audit log. */
export async function consoleService(deps: ServiceDeps, config: ConsoleConfig): Promise<Service> {
  const { database, clock, bus, vault, logger, publicUrl } = deps
  const pagesUrl = (config.CONSOLE_URL ?? publicUrl).replace(/\/$/, '')
  const ownHost = new URL(pagesUrl).host !== new URL(publicUrl).host
  const cookie = cookieRule(pagesUrl, ownHost)
  const signer = createHeadSigner(config.AUDIT_SIGNING_KEY)
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
  const consoleDeps = { ...deps, authorizeConsole: createAuthority({ database, clock, cookie, origins }) }
  const router = express.Router()
  mountAccount(router, operations, { ...consoleDeps, cookie })
  mountUsers(router, operations, consoleDeps)
  mountApps(router, operations, consoleDeps)
  mountAudit(router, operations, signer, consoleDeps)

  const heads = periodicJob({
    name: 'daily audit head',
    everyMs: minuteMs,
    logger,
    work: () => signAuditHead({ database, clock, signer }),
  })
  const prune = periodicJob({
    name: 'ended sessions and links',
    everyMs: 60 * minuteMs,
    logger,
    work: () => pruneAccounts(database, clock.now()),
  })
  return composeService(deps, { name: 'console', routers: [router, pagesRouter()], jobs: [heads, prune] })
}
