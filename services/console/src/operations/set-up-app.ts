import type { Bus, Outbox } from '@kyc/bus'
import {
  appConfigured,
  type setUpApp as contract,
  createApiKey,
  createWorkflow,
  defaultWorkflowConfig,
  provisionWebhook,
  toTimestamp,
} from '@kyc/common'
import { type Clock, type Database, newId, randomText } from '@kyc/runtime'
import { hash } from '@node-rs/argon2'
import type { z } from 'zod'
import { appendAudit } from '../store/audit-log.ts'
import type { PrismaClient } from '../store/generated/client.ts'

export type Operations = { database: Database; prisma: PrismaClient; bus: Bus; outbox: Outbox; clock: Clock }

type Request = z.output<typeof contract.request>
type Answer = z.input<typeof contract.response>

const defaultRetentionDays = 365

/** OWASP's recommended minimum for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** An app with everything it needs to begin. Its secrets are in the answer, and nowhere else in clear. */
export async function setUpApp(operations: Operations, request: Request): Promise<Answer> {
  const { bus } = operations
  const { environment, name } = request
  const appId = await insertApp(operations, request)
  const workflow = await bus.request(createWorkflow, {
    app_id: appId,
    name: 'Default',
    is_default: true,
    config: defaultWorkflowConfig(),
  })
  const webhook = await bus.request(provisionWebhook, {
    app_id: appId,
    environment,
    url: request.webhook_url,
  })
  const key = await bus.request(createApiKey, {
    app_id: appId,
    environment,
    name: `${name}: first key`,
    expires_at: null,
    rate_limit_per_minute: null,
  })
  return {
    app_id: appId,
    api_key: key.key,
    webhook_secret: webhook.secret,
    workflow_id: workflow.id,
    owner: await createFirstOwner(operations, request.owner_email),
  }
}

async function insertApp({ database, outbox, clock }: Operations, request: Request): Promise<string> {
  const appId = newId('app')
  const now = clock.now()
  await database.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO app (app_id, revision, environment, name, retention_days, created_at) VALUES ($1, 1, $2, $3, $4, $5)`,
      [appId, request.environment, request.name, defaultRetentionDays, now],
    )
    await outbox.append(
      tx,
      appConfigured,
      {
        app_id: appId,
        revision: 1,
        environment: request.environment,
        name: request.name,
        logo_url: null,
        accent: null,
        retention_days: defaultRetentionDays,
      },
      { orderingKey: appId },
    )
    await appendAudit(tx, {
      id: newId('message'),
      app_id: appId,
      at: toTimestamp(now),
      actor: { type: 'system', id: 'set_up' },
      action: 'app.created',
      target: appId,
      details: { environment: request.environment },
    })
  })
  return appId
}

/** Only while there is no owner: later ones are invited by an owner. */
async function createFirstOwner(
  { prisma, clock }: Operations,
  email: string,
): Promise<{ email: string; password: string } | null> {
  if ((await prisma.consoleUser.count({ where: { role: 'owner', disabledAt: null } })) > 0) return null
  const password = randomText(24)
  await prisma.consoleUser.create({
    data: {
      id: newId('user'),
      email,
      role: 'owner',
      passwordHash: await hash(password, argon2id),
      createdAt: clock.now(),
    },
  })
  return { email, password }
}
