import type { Bus, Outbox } from '@kyc/bus'
import { toTimestamp } from '@kyc/common'
import type { ConsoleUserCaller } from '@kyc/http'
import type { Clock, Database, Logger, Sql } from '@kyc/runtime'
import { newId } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import type { AuditEntry } from '../domain/audit-chain.ts'
import type { Mailer } from '../mail/mailer.ts'
import { appendAudit } from '../store/audit-log.ts'

/** The dependencies of this service's operations. */
export type Operations = {
  database: Database
  bus: Bus
  outbox: Outbox
  clock: Clock
  vault: Vault
  logger: Logger
  /** Null: links are shown to the user who creates them. */
  mailer: Mailer | null
  /** The base URL of the console's pages, without a trailing slash. */
  pagesUrl: string
}

/** The actor, for the audit log. */
export type Actor = { type: 'user' | 'system'; id: string; ip: string | null }

export const actorOf = (caller: Pick<ConsoleUserCaller, 'user_id' | 'address'>): Actor => ({
  type: 'user',
  id: caller.user_id,
  ip: caller.address,
})

export type Act = {
  app_id: string | null
  action: string
  target: string
  details?: AuditEntry['details']
}

/**
 * Appends an action in the transaction of its effect. Ids and codes only: no names, e-mail addresses or text written by
 * a person.
 */
export function audit(tx: Sql, clock: Clock, actor: Actor, act: Act): Promise<AuditEntry> {
  return appendAudit(tx, {
    id: newId('message'),
    at: toTimestamp(clock.now()),
    actor: { type: actor.type, id: actor.id },
    ip: actor.ip,
    app_id: act.app_id,
    action: act.action,
    target: act.target,
    details: act.details ?? {},
  })
}

/** Appends an action in its own transaction, for actions without an effect in this database. */
export const record = (
  { database, clock }: Pick<Operations, 'database' | 'clock'>,
  actor: Actor,
  act: Act,
): Promise<AuditEntry> => database.transaction((tx) => audit(tx, clock, actor, act))
