import type { SessionSummary, Workflow } from '@kyc/common'
import sharp from 'sharp'
import type { Api } from '../../support/api.ts'
import { submitSession } from '../../support/journey.ts'
import { exampleHolder, specimenPassport } from '../../support/specimen.ts'
import { temporaryFolder } from '../../support/system.ts'
import { until } from '../../support/until.ts'

/** A system that loads neither models nor lists, because scenarios determine the results of the checks. */
export async function withoutModels(overrides: Record<string, string>): Promise<Record<string, string>> {
  const empty = await temporaryFolder()
  return { MODELS_DIR: empty, SANCTIONS_DIR: empty, ...overrides }
}

/** A drawn face: circles, not a person. */
async function drawnFace(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="960"><rect width="720" height="960" fill="#b9c7d6"/>
    <path d="M80 960c20-220 140-300 280-300s260 80 280 300z" fill="#3d5a80"/><ellipse cx="360" cy="400" rx="190" ry="250" fill="#e3b995"/>
    <path d="M170 380c0-200 90-270 190-270s190 70 190 270c-40-110-100-150-190-150s-150 40-190 150z" fill="#5b4030"/>
    <circle cx="290" cy="390" r="20" fill="#222"/><circle cx="430" cy="390" r="20" fill="#222"/><path d="M360 400v90h-25" fill="none" stroke="#a5744f" stroke-width="8"/>
    <path d="M290 540q70 50 140 0" fill="none" stroke="#8c3b3b" stroke-width="12"/></svg>`
  return sharp(Buffer.from(svg)).jpeg().toBuffer()
}

/** One session that has reached review: drawn passport, drawn face, the outcome of a scenario. */
export async function submitScenario(
  api: Api,
  baseUrl: string,
  scenario: string,
  body: object = {},
  holder = exampleHolder,
): Promise<string> {
  const face = await drawnFace()
  const photos = { document: await specimenPassport(holder, face), selfie: face }
  const { session_id } = await submitSession(api, baseUrl, photos, {
    ...body,
    metadata: { test_scenario: scenario },
  })
  await decided(api, session_id)
  return session_id
}

const decided = (api: Api, sessionId: string) =>
  until(
    async () => (await api.get<SessionSummary>(`/v1/sessions/${sessionId}`)).body.status,
    (status) => ['in_review', 'approved', 'declined'].includes(status),
    60_000,
  )

/** The same without pictures and faster: the test mode moves the session through its states. */
export async function advanceScenario(api: Api, scenario: string, body: object = {}): Promise<string> {
  const created = await api.post<{ session_id: string }>('/v1/sessions', {
    ...body,
    metadata: { test_scenario: scenario },
  })
  const { session_id } = created.body
  const to = scenario === 'approved' ? 'approved' : 'in_review'
  const advanced = await api.post<SessionSummary>(`/v1/test/sessions/${session_id}/advance`, { to })
  if (advanced.status !== 200) throw new Error(`${scenario}: ${JSON.stringify(advanced.body)}`)
  await decided(api, session_id)
  return session_id
}

/** Sessions in several states, like a typical morning's queue. */
export async function seedSessions(api: Api, baseUrl: string) {
  const workflows = await api.get<{ data: Workflow[] }>('/v1/workflows')
  const workflowId = workflows.body.data[0]?.id ?? ''
  const scenarios = ['face_mismatch', 'document_expired', 'approved', 'mrz_mismatch', 'duplicate', 'approved']
  for (const [index, scenario] of scenarios.entries()) {
    await advanceScenario(api, scenario, { vendor_data: `customer-${index + 17}` })
  }
  const amlMatch = await submitScenario(api, baseUrl, 'aml_match', { vendor_data: 'customer-38' })
  await api.post('/v1/sessions', { vendor_data: 'customer-40' })
  return { workflowId, amlMatch }
}
