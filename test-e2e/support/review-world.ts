import sharp from 'sharp'
import { type Api, apiClient } from './api.ts'
import { type ConsoleClient, consoleClient, signInAndEnrol } from './console.ts'
import { submitSession } from './journey.ts'
import { startTestSystem, type TestSystem } from './system.ts'
import { until } from './until.ts'

export type ReviewWorld = {
  system: TestSystem
  api: Api
  owner: ConsoleClient
  /** A reviewer. */
  ana: ConsoleClient
  /** `/apps/…` of the first app. */
  app: string
  photos: { document: Buffer; selfie: Buffer }
  /** A session that waits for review, through the hosted flow. */
  inReview(scenario?: string, body?: object): Promise<string>
  /** The audit entries of a target, newest first; waits for the first entry. */
  auditOf(target: string, action: string): Promise<{ details: object }[]>
}

const email = 'ana@example.org'
const password = 'lantern-orbit-velvet-93'

/** The whole system with an owner and a reviewer signed in; sessions follow their test scenario. */
export async function startReviewWorld(): Promise<ReviewWorld> {
  const system = await startTestSystem({ MODELS_DIR: '/nonexistent', SANCTIONS_DIR: '' })
  const api = apiClient(system.url, system.app.api_key)
  const owner = consoleClient(system.url)
  await signInAndEnrol(owner, system.app.console)
  const app = `/apps/${(await owner.get('/apps')).body.data[0].app_id}`
  const invited = await owner.post('/users/invitations', { email, role: 'reviewer' })
  const ana = consoleClient(system.url)
  await ana.post('/links/use', { token: invited.body.link.split('#')[1], password, name: 'Ana Prüfer' })
  await signInAndEnrol(ana, { email, password })
  // A camera writes its location, which reviewers must not see.
  const page = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#888' } })
    .jpeg()
    .withExif({ IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .toBuffer()
  const photos = { document: page, selfie: page }
  return {
    system,
    api,
    owner,
    ana,
    app,
    photos,
    async inReview(scenario = 'aml_match', body = {}) {
      const metadata = { test_scenario: scenario }
      const { session_id } = await submitSession(api, system.url, photos, { ...body, metadata })
      await until(
        () => api.get<{ status: string }>(`/v1/sessions/${session_id}`),
        (answer) => answer.body.status === 'in_review',
      )
      return session_id
    },
    async auditOf(target, action) {
      const found = await until(
        () => owner.get(`/audit?target=${target}&action=${action}`),
        (answer) => answer.body.data.length > 0,
      )
      return found.body.data
    },
  }
}
