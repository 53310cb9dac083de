import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { rabbitmqBus } from '@kyc/bus'
import { allEndpoints, setUpApp } from '@kyc/common'
import { generateIdentityKeys } from '@kyc/http'
import { freePort, randomText, silentLogger, systemClock } from '@kyc/runtime'
import {
  createTestDatabase,
  modelsDir,
  rabbitmqIsInstalled,
  sharedDir,
  startRabbitmq,
  type TestDatabase,
} from '@kyc/testing'
import { type Api, apiClient } from './support/api.ts'
import { person, submitSession } from './support/journey.ts'
import { facePhotos } from './support/photos.ts'
import { type ServiceProcess, startProcess, untilUp } from './support/process.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { exampleHolder, specimenPassport } from './support/specimen.ts'
import { temporaryFolder } from './support/system.ts'

const upstreamNames = {
  session: 'SESSION_URL',
  checks: 'CHECKS_URL',
  'face-biometrics': 'FACE_BIOMETRICS_URL',
  'sanctions-screening': 'SANCTIONS_SCREENING_URL',
  'webhook-dispatcher': 'WEBHOOK_DISPATCHER_URL',
  flow: 'FLOW_SERVICE_URL',
  console: 'CONSOLE_SERVICE_URL',
} as const

const installed = rabbitmqIsInstalled()
if (!installed)
  process.stdout.write(
    'skipped: each service as its own process on RabbitMQ (rabbitmq-server is not installed)\n',
  )

;(installed ? describe : describe.skip)(
  'each service as its own process, on RabbitMQ and one PostgreSQL',
  () => {
    let folder: string
    let broker: Awaited<ReturnType<typeof startRabbitmq>>
    let database: TestDatabase
    let receiver: Receiver
    let api: Api
    let baseUrl: string
    const processes = new Map<string, ServiceProcess>()
    const urls: Record<string, string> = {}

    beforeAll(async () => {
      folder = await temporaryFolder()
      ;[broker, database, receiver] = await Promise.all([
        startRabbitmq(),
        createTestDatabase(),
        startReceiver(),
      ])
      const keys = await generateIdentityKeys()
      const lists = sharedDir('data', 'sanctions', 'lists', 'ofac_2024-05-03')
      const gatewayPort = String(await freePort())
      baseUrl = `http://127.0.0.1:${gatewayPort}`
      const common = {
        HOST: '127.0.0.1',
        METRICS_PORT: '0',
        LOG_LEVEL: 'warn',
        DATABASE_URL: database.url,
        RABBITMQ_URL: broker.url,
        PUBLIC_URL: baseUrl,
        INTERNAL_IDENTITY_PUBLIC_KEY: keys.publicKey,
        MODELS_DIR: modelsDir() ?? join(folder, 'models'),
      }
      const vault = {
        VAULT_STORE: `folder:${join(folder, 'vault')}`,
        VAULT_KEY: randomBytes(32).toString('base64'),
      }
      const own: Record<string, Record<string, string>> = {
        flow: { RESULT_TOKEN_SECRET: randomText(48) },
        console: { AUDIT_SIGNING_KEY: (await generateIdentityKeys()).privateKey },
        'sanctions-screening': { SANCTIONS_DOWNLOAD: '0', ...(lists ? { SANCTIONS_DIR: lists } : {}) },
        'webhook-dispatcher': { ALLOW_PRIVATE_WEBHOOKS: '1' },
      }
      const started: Promise<void>[] = []
      for (const [service, variable] of Object.entries(upstreamNames)) {
        const port = String(await freePort())
        urls[variable] = `http://127.0.0.1:${port}`
        const running = startProcess(service, { ...common, ...vault, ...own[service], PORT: port })
        processes.set(service, running)
        started.push(untilUp(`${urls[variable]}/health`, running, 120_000))
      }
      const gateway = startProcess('gateway', {
        ...common,
        ...urls,
        PORT: gatewayPort,
        INTERNAL_IDENTITY_PRIVATE_KEY: keys.privateKey,
      })
      processes.set('gateway', gateway)
      await Promise.all([...started, untilUp(`${baseUrl}/health`, gateway, 120_000)])

      const bus = rabbitmqBus({ url: broker.url, service: 'test', logger: silentLogger, clock: systemClock })
      await bus.start()
      const app = await bus
        .request(setUpApp, {
          name: 'Example app',
          environment: 'test',
          webhook_url: receiver.url,
          owner_email: 'owner@example.org',
        })
        .finally(() => bus.close())
      receiver.useSecret(app.webhook_secret)
      api = apiClient(baseUrl, app.api_key)
    }, 300_000)

    afterAll(async () => {
      await Promise.all([...processes.values()].map((running) => running.kill()))
      await broker?.stop()
      await receiver?.close()
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    }, 120_000)

    test('a person who refuses consent ends the session, and the client gets the webhook', async () => {
      const created = await api.post<{ session_id: string; session_token: string }>('/v1/sessions', {
        vendor_data: 'd',
      })
      expect(created.status).toBe(201)
      await person(baseUrl, created.body).flow.post('/consent', { accepted: false, version: '1' })
      const event = await receiver.until(
        (item) => item.data.session_id === created.body.session_id && item.data.status === 'declined',
      )
      expect(event.data.decision?.decision_reason).toBe('consent_declined')
    }, 120_000)

    const photos = facePhotos()
    const complete = photos !== null && modelsDir() !== null
    if (!complete)
      process.stdout.write('skipped: the distributed journey to approved (no face photos or models here)\n')
    ;(complete ? test : test.skip)(
      'the person on the document is approved',
      async () => {
        const [portrait, selfie] = (photos?.same ?? []).map((file) => readFileSync(file))
        const document = await specimenPassport(exampleHolder, portrait)
        const session = await submitSession(api, baseUrl, { document, selfie: selfie as Buffer })
        const event = await receiver.until(
          (item) =>
            item.data.session_id === session.session_id &&
            ['approved', 'in_review'].includes(item.data.status),
          120_000,
        )
        expect(event.data.status).toBe('approved')
        expect(receiver.refused()).toBe(0)
      },
      180_000,
    )

    const owned = allEndpoints.filter((endpoint) => endpoint.service !== 'gateway')
    test.each(owned.map((endpoint) => [endpoint.operationId, endpoint] as const))(
      '%s answers 401 to a caller that bypasses the gateway',
      async (_, endpoint) => {
        const url = urls[upstreamNames[endpoint.service as keyof typeof upstreamNames]]
        const direct = await fetch(`${url}${endpoint.path.replace(/:\w+/g, 'x')}`, {
          method: endpoint.method.toUpperCase(),
        })
        expect(direct.status).toBe(401)
        expect(await direct.json()).toMatchObject({ error: { code: 'unauthorized' } })
      },
    )
  },
)
