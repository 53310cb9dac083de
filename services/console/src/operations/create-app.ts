import {
  appConfigured,
  createApiKey,
  createWorkflow,
  defaultWorkflowConfig,
  type Environment,
  flowLanguages,
  type PresentedApp,
  provisionWebhook,
} from '@kyc/common'
import { newId } from '@kyc/runtime'
import { type App, insertApp } from '../store/apps.ts'
import { type Actor, audit, type Operations } from './context.ts'
import { configured, presentApp } from './manage-apps.ts'

const defaultRetentionDays = 365

/** An app with everything it needs to start. Its secrets exist in clear in this response only. */
export async function createApp(
  { bus, database, outbox, clock }: Operations,
  actor: Actor,
  given: { name: string; environment: Environment; webhook_url: string | null },
): Promise<{ app: PresentedApp; api_key: string; webhook_secret: string; workflow_id: string }> {
  const { name, environment } = given
  const app_id = newId('app')
  // Validates the URL first and stores the app last, so that a failure leaves only an unused id in other services.
  const webhook = await bus.request(provisionWebhook, { app_id, environment, url: given.webhook_url })
  const workflow = await bus.request(createWorkflow, {
    app_id,
    name: 'Default',
    is_default: true,
    // Offer every language until someone narrows the list, so that people see the flow in their own.
    config: { ...defaultWorkflowConfig(), locales: [...flowLanguages] },
  })
  const key = await bus.request(createApiKey, {
    app_id,
    environment,
    name: `${name}: first key`.slice(0, 120),
    expires_at: null,
    rate_limit_per_minute: null,
  })
  const app: App = {
    app_id,
    revision: 1,
    environment,
    name,
    logo_url: null,
    accent: null,
    retention_days: defaultRetentionDays,
    callback_hosts: null,
    created_at: clock.now(),
  }
  await database.transaction(async (tx) => {
    await insertApp(tx, app)
    await outbox.append(tx, appConfigured, configured(app), { orderingKey: app_id })
    await audit(tx, clock, actor, {
      app_id,
      action: 'app.created',
      target: app_id,
      details: { environment, key_id: key.api_key.id, workflow_id: workflow.id },
    })
  })
  return {
    app: presentApp(app),
    api_key: key.key,
    webhook_secret: webhook.secret,
    workflow_id: workflow.id,
  }
}
