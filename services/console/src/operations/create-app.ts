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

/** An app with everything it needs to begin. Its secrets are in the answer, and nowhere else in clear. */
export async function createApp(
  { bus, database, outbox, clock }: Operations,
  actor: Actor,
  given: { name: string; environment: Environment; webhook_url: string | null },
): Promise<{ app: PresentedApp; api_key: string; webhook_secret: string; workflow_id: string }> {
  const { name, environment } = given
  const app_id = newId('app')
  // The URL is checked first; the app itself comes last: what fails before leaves an id that nobody knows.
  const webhook = await bus.request(provisionWebhook, { app_id, environment, url: given.webhook_url })
  const workflow = await bus.request(createWorkflow, {
    app_id,
    name: 'Default',
    is_default: true,
    // A stranger is met in their own language until somebody narrows it.
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
