import { fileURLToPath } from 'node:url'
import { createConsumer, createOutbox, inbox } from '@kyc/bus'
import {
  getDelivery,
  getWebhookEndpoint,
  listDeliveries,
  notFound,
  pingWebhook,
  provisionWebhook,
  redeliver,
  redeliverFailed,
  rotateWebhookSecret,
  sessionStatusChanged,
  setWebhookUrl,
  webhookDeliveryEndpoints,
} from '@kyc/common'
import {
  composeService,
  consumePurges,
  periodicJob,
  type Service,
  type ServiceDeps,
  type ServiceSchema,
} from '@kyc/host'
import { createReplies, mount } from '@kyc/http'
import { createOutboundClient, type Resolver } from '@kyc/outbound'
import express from 'express'
import type { WebhookDispatcherConfig } from './config.ts'
import { standardLimits } from './domain/destination-health.ts'
import { webhookDeliveryHandlers } from './http/webhook-deliveries.ts'
import { Destinations } from './jobs/destinations.ts'
import { OpenedSecrets } from './jobs/opened-secrets.ts'
import { Sender } from './jobs/sender.ts'
import * as endpoint from './messages/manage-endpoint.ts'
import { redeliverAllFailed, redeliverDelivery } from './messages/redeliver.ts'
import { sendPing } from './messages/send-ping.ts'
import { recordStatusChange } from './operations/record-status-change.ts'
import { readBacklog } from './store/backlog.ts'
import { createDeliveryReads } from './store/deliveries.ts'
import { createEndpointStore } from './store/endpoints.ts'
import { createPrisma } from './store/prisma.ts'
import { pruneDeliveries, purgeSession, retainedTables } from './store/purge.ts'

export { dispatcherConfig, dispatcherSettings, type WebhookDispatcherConfig } from './config.ts'

export const webhookDispatcherSchema: ServiceSchema = {
  schema: 'webhook_dispatcher',
  migrations: fileURLToPath(new URL('../prisma/migrations', import.meta.url)),
}

const userAgent = 'kyc-webhooks/1.0'
const service = 'webhook-dispatcher'
const dayMs = 86_400_000
/** Longer than any message can be redelivered. */
const inboxDays = 30
/** Failing receivers together use at most half of the concurrent attempts. */
const failingShare = 0.5
/** Added to the timeout of an attempt, as time to write the outcome while the database is slow. */
const leaseMarginMs = 20_000

/** The front door. `resolver` replaces DNS in tests. */
export async function webhookDispatcherService(
  deps: ServiceDeps,
  config: WebhookDispatcherConfig,
  options: { resolver?: Resolver } = {},
): Promise<Service> {
  const { bus, clock, database, logger, metrics, vault } = deps
  const prisma = createPrisma(database)
  const endpoints = createEndpointStore(prisma)
  const deliveries = createDeliveryReads(prisma)
  const outbox = createOutbox({ clock })
  const outboundTo = (allowPrivate: boolean) =>
    createOutboundClient({
      resolver: options.resolver,
      allowPrivate,
      ownAddresses: config.WEBHOOK_OWN_ADDRESSES,
      ownHosts: [new URL(deps.publicUrl).hostname],
      logger,
    })
  // Private addresses are only for receivers of test apps in development; no setting opens them to a live app.
  const outbound = { live: outboundTo(false), test: outboundTo(config.ALLOW_PRIVATE_WEBHOOKS) }
  const destinations = new Destinations({
    limits: { ...standardLimits, maxConcurrency: config.WEBHOOK_CONCURRENCY_PER_APP },
    totalConcurrency: config.WEBHOOK_CONCURRENCY,
    failingShare,
  })
  const sender = new Sender({
    database,
    destinations,
    clock,
    logger,
    metrics,
    concurrency: config.WEBHOOK_CONCURRENCY,
    pollMs: 1_000,
    leaseMs: config.WEBHOOK_TIMEOUT_MS + leaseMarginMs,
    attempt: {
      vault,
      secrets: new OpenedSecrets(vault, clock),
      outbound,
      clock,
      logger,
      schedule: {
        delaysMs: config.WEBHOOK_RETRY_DELAYS_SECONDS.map((seconds) => seconds * 1_000),
        jitterRatio: config.WEBHOOK_JITTER_PERCENT / 100,
      },
      timeoutMs: config.WEBHOOK_TIMEOUT_MS,
      userAgent,
      random: Math.random,
    },
  })
  // Draining the bus in tests also sends due deliveries.
  bus.attach(sender)

  const wake = () => sender.wake()
  const tryNow = (appId: string) => {
    destinations.forget(appId)
    sender.wake()
  }
  const parts = { database, clock, deliveries, endpoints, wake, tryNow }
  const endpointParts = {
    endpoints,
    vault,
    outbound,
    clock,
    onUrlChanged: tryNow,
  }

  const consumer = createConsumer({ service, bus, database, outbox })
  consumer.consume(sessionStatusChanged, recordStatusChange(parts))
  consumePurges(consumer, {
    service,
    deleteSession: (tx, scope) => purgeSession(tx, scope.app_id, scope.session_id, clock.now()),
    retained: retainedTables,
  })
  bus.respond(provisionWebhook, (request) => endpoint.provisionWebhook(endpointParts, request))
  bus.respond(getWebhookEndpoint, (request) => endpoint.getWebhookEndpoint(endpointParts, request))
  bus.respond(setWebhookUrl, (request) => endpoint.setWebhookUrl(endpointParts, request))
  bus.respond(rotateWebhookSecret, (request) => endpoint.rotateWebhookSecret(endpointParts, request))
  bus.respond(pingWebhook, (request) => sendPing(parts, request))
  bus.respond(listDeliveries, ({ app_id, ...filter }) => deliveries.list(app_id, filter))
  bus.respond(getDelivery, async ({ app_id, delivery_id }) => {
    const delivery = await deliveries.find(app_id, delivery_id)
    if (delivery === null) throw notFound('webhook delivery')
    return delivery
  })
  bus.respond(redeliver, (request) => redeliverDelivery(parts, request))
  bus.respond(redeliverFailed, (request) => redeliverAllFailed(parts, request))

  const replies = createReplies(deps)
  const router = express.Router()
  mount(router, webhookDeliveryEndpoints, webhookDeliveryHandlers({ ...parts, vault }), { ...deps, replies })

  const prune = periodicJob({
    name: 'webhook delivery retention',
    everyMs: 3_600_000,
    logger,
    work: async () => {
      const now = clock.now().getTime()
      const kept = config.WEBHOOK_DELIVERY_RETENTION_DAYS * dayMs
      const count = await pruneDeliveries(database, new Date(now - kept))
      if (count > 0) logger.info('old deliveries deleted', { count })
      await inbox.prune(database, new Date(now - inboxDays * dayMs))
    },
  })
  const pending = metrics.gauge('webhook_deliveries_pending', 'Deliveries that wait for an attempt')
  const due = metrics.gauge('webhook_deliveries_due', 'Of those, due now')
  const oldestDue = metrics.gauge('webhook_oldest_due_seconds', 'How long the longest due has been due')
  const measure = periodicJob({
    name: 'webhook backlog',
    everyMs: 30_000,
    logger,
    work: async () => {
      const backlog = await readBacklog(database, clock.now())
      pending.set(backlog.pending)
      due.set(backlog.due)
      oldestDue.set(backlog.oldestDueSeconds)
    },
  })
  return composeService(deps, { name: service, replies, routers: [router], jobs: [sender, prune, measure] })
}
