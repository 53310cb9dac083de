import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inProcessBus } from '@kyc/bus'
import {
  type Decision,
  emptyIdentity,
  listDeliveries,
  provisionWebhook,
  type SessionStatus,
  sealContexts,
  sessionStatusChanged,
  type WebhookBody,
} from '@kyc/common'
import { createMetrics, newId, openDatabase, randomText, silentLogger } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import { dispatcherSettings } from '../src/config.ts'
import { webhookDispatcherSchema, webhookDispatcherService } from '../src/service.ts'

export type Received = { headers: IncomingMessage['headers']; raw: Buffer; body: WebhookBody }
export type Receiver = {
  url: string
  received: Received[]
  /** The response to send from now on; 200 with an empty body by default. */
  answer: (request: Received, response: ServerResponse) => void
  close(): Promise<void>
}

/** A receiver on this machine that records its requests. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const item = { headers: request.headers, raw, body: JSON.parse(raw.toString('utf8')) as WebhookBody }
    received.push(item)
    receiver.answer(item, response)
  })
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (_, response) => void response.end(),
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
  return receiver
}

export const answering =
  (status: number, body = ''): Receiver['answer'] =>
  (_, response) =>
    void response.writeHead(status).end(body)

export type Dispatcher = ServiceHarness & {
  /** Creates an app with its webhook. */
  app(url: string | null): Promise<{ app_id: string; secret: string }>
  /** Publishes a transition like the session service; returns the message id. */
  announce(change: Announcement): Promise<string>
  deliveries(app_id: string): ReturnType<typeof list>
  /** Restarts the service on the same database, as after a crash or an upgrade. */
  restart(): Promise<void>
}
export type Announcement = {
  app_id: string
  session_id?: string
  status?: SessionStatus
  previous_status?: SessionStatus
  decision?: Decision
  message_id?: string
}

const list = (bus: ServiceHarness['bus'], app_id: string) =>
  bus.request(listDeliveries, { app_id, page: 1, page_size: 100 })

export async function startDispatcher(environment: Record<string, string> = {}): Promise<Dispatcher> {
  const settings = dispatcherSettings.parse({
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOK_JITTER_PERCENT: '0',
    WEBHOOK_TIMEOUT_MS: '1000',
    ...environment,
  })
  const harness = await startService('webhook-dispatcher', webhookDispatcherSchema, (deps) =>
    webhookDispatcherService(deps, settings),
  )
  let { bus, service } = harness
  const closers: (() => Promise<void>)[] = []

  const dispatcher: Dispatcher = {
    ...harness,
    drain: () => bus.drain(),
    async app(url) {
      const app_id = newId('app')
      const { secret } = await bus.request(provisionWebhook, { app_id, environment: 'test', url })
      return { app_id, secret }
    },
    async announce({ app_id, session_id = newId('session'), decision, ...change }) {
      const id = change.message_id ?? `msg_${randomText(24)}`
      const sealed =
        decision && (await harness.deps.vault.seal({ app_id, session_id }, sealContexts.decision, decision))
      const payload = {
        app_id,
        session_id,
        sequence: 1,
        status: change.status ?? 'in_progress',
        previous_status: change.previous_status ?? 'not_started',
        decision_reason: null,
        vendor_data: 'клиент-7',
        workflow_id: newId('workflow'),
        sealed_decision: sealed?.toString('base64') ?? null,
        occurred_at: '2026-03-01T12:00:00Z',
      }
      await bus.publish([
        {
          id,
          name: sessionStatusChanged.name,
          version: sessionStatusChanged.version,
          payload: JSON.stringify(sessionStatusChanged.payload.parse(payload)),
          occurredAt: harness.clock.now(),
          orderingKey: session_id,
          correlationId: undefined,
          traceparent: undefined,
        },
      ])
      return id
    },
    deliveries: (app_id) => list(bus, app_id),
    async restart() {
      await service.stop()
      await bus.close()
      const busDatabase = await openDatabase({
        url: harness.database.pool.options.connectionString as string,
        schema: 'bus',
        logger: silentLogger,
      })
      closers.push(() => busDatabase.close())
      bus = inProcessBus({ database: busDatabase, logger: silentLogger, clock: harness.clock })
      const metrics = createMetrics('webhook-dispatcher')
      service = await webhookDispatcherService({ ...harness.deps, bus, metrics }, settings)
      await bus.start()
      await service.start()
      Object.assign(dispatcher, { bus, service })
    },
    async close() {
      if (service !== harness.service) {
        await service.stop()
        await bus.close()
      }
      for (const close of closers) await close()
      await harness.close()
    },
  }
  return dispatcher
}

export const decisionOf = (session_id: string, full_name = 'Zoë 北京'): Decision => ({
  session_id,
  status: 'approved',
  decision_reason: null,
  workflow_id: newId('workflow'),
  vendor_data: 'клиент-7',
  metadata: { order: '№ 7' },
  identity: { ...emptyIdentity, full_name },
  checks: [],
  review: null,
  created_at: '2026-03-01T11:00:00Z',
  submitted_at: '2026-03-01T11:30:00Z',
  completed_at: '2026-03-01T12:00:00Z',
  expires_at: '2026-03-08T11:00:00Z',
})
