import { setUpApp } from '@kyc/common'
import { type Api, apiClient } from '../../support/api.ts'
import { startTestSystem } from '../../support/system.ts'
import { type Kind, timeCalls } from './calls.ts'

const chosen: readonly Kind[] = ['POST /v1/sessions', 'GET one session', 'GET first page']

/** p50 of calls that rotate over all apps, as their number grows; reports each size as soon as it is measured. */
export async function withApps(
  sizes: readonly number[],
  onSize: (size: number, medians: Map<Kind, number>) => void,
): Promise<void> {
  const system = await startTestSystem({ MODELS_DIR: '/nonexistent', SANCTIONS_DIR: '' })
  try {
    const apps: { api: Api; sessionId: string }[] = []
    for (const size of sizes) {
      while (apps.length < size) {
        const made = await system.bus.request(setUpApp, {
          name: `App ${apps.length}`,
          environment: 'test',
          webhook_url: null,
          owner_email: `owner${apps.length}@example.org`,
        })
        const api = apiClient(system.url, made.api_key)
        const { body } = await api.post<{ session_id: string }>('/v1/sessions', {})
        apps.push({ api, sessionId: body.session_id })
      }
      onSize(size, await timeCalls((call) => apps[call % apps.length] ?? fail(), chosen))
    }
  } finally {
    await system.close()
  }
}

const fail = (): never => {
  throw new Error('there is no app')
}
