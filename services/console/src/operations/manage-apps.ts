import { appConfigured, notFound, type PresentedApp, toTimestamp } from '@kyc/common'
import { type App, findApp, listApps, saveApp } from '../store/apps.ts'
import { type Actor, audit, type Operations } from './context.ts'

export async function listVisibleApps({ database }: Operations, appIds: readonly string[] | null) {
  return { data: (await listApps(database, appIds)).map(presentApp) }
}

export async function getApp({ database }: Operations, appId: string): Promise<PresentedApp> {
  const app = await findApp(database, appId)
  if (!app) throw notFound('app')
  return presentApp(app)
}

/** Absent fields stay unchanged. The hosted flow and retention follow through `app.configured`. */
export async function changeApp(
  { database, outbox, clock }: Operations,
  actor: Actor,
  appId: string,
  change: {
    name?: string
    logo_url?: string | null
    accent?: string | null
    retention_days?: number
    callback_hosts?: string[] | null
  },
): Promise<PresentedApp> {
  return database.transaction(async (tx) => {
    const before = await findApp(tx, appId, true)
    if (!before) throw notFound('app')
    const app: App = { ...before, ...change, revision: before.revision + 1 }
    await saveApp(tx, app)
    await outbox.append(tx, appConfigured, configured(app), { orderingKey: appId })
    await audit(tx, clock, actor, {
      app_id: appId,
      action: change.retention_days === undefined ? 'app.changed' : 'app.retention_changed',
      target: appId,
      details: {
        fields: Object.keys(change).join(' '),
        revision: app.revision,
        ...(change.retention_days === undefined ? {} : { retention_days: change.retention_days }),
      },
    })
    return presentApp(app)
  })
}

/** What other services store of an app. */
export const configured = ({ created_at: _, ...app }: App) => app

export const presentApp = (app: App): PresentedApp => ({ ...app, created_at: toTimestamp(app.created_at) })
