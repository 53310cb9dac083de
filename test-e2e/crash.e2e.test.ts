import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import type { Decision } from '@kyc/common'
import { type Api, apiClient } from './support/api.ts'
import { blankPage } from './support/blank-page.ts'
import { person } from './support/journey.ts'
import { type ServiceProcess, startProcess, untilUp } from './support/process.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { temporaryFolder, testEnvironment } from './support/system.ts'

const kills = Number(process.env.KYC_CRASH_ROUNDS ?? 20)
const sessionsPerRound = 3

const environmentOf = async (folder: string, receiver: Receiver): Promise<Record<string, string>> => ({
  ...(await testEnvironment(folder)),
  WEBHOOK_URL: receiver.url,
  WEBHOOK_RETRY_DELAYS_SECONDS: '1,1,1,2,2,2,2',
})

type App = { base_url: string; api_key: string; webhook_secret: string }

async function start(environment: Record<string, string>): Promise<{ process: ServiceProcess; app: App }> {
  const started = startProcess('standalone', environment)
  await untilUp(`http://127.0.0.1:${environment.PORT}/health`, started)
  const app = JSON.parse(await readFile(join(environment.DATA_DIR ?? '', 'standalone.json'), 'utf8')) as App
  return { process: started, app }
}

/** Takes a session to `processing` with its document only: liveness is skipped with a photo without a face. */
async function submit(api: Api, baseUrl: string, photo: Buffer): Promise<string> {
  const created = await api.post<{ session_id: string; session_token: string }>('/v1/sessions', {})
  const someone = person(baseUrl, created.body)
  await someone.consent()
  for (let tries = 0; tries < 3; tries++) if ((await someone.document(photo)).body.accepted) break
  for (let tries = 0; tries < 3; tries++) if ((await someone.liveness(photo)).body.accepted) break
  const submitted = await someone.submit()
  expect(submitted.status).toBe(200)
  return created.body.session_id
}

const isDecided = (status: string) => ['approved', 'declined', 'in_review'].includes(status)

/** A seeded generator, so that a failing round can be repeated. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test(
  `killed ${kills} times between submit and delivery, every session is decided and told, none twice by effect`,
  async () => {
    const folder = await temporaryFolder()
    const receiver = await startReceiver()
    const environment = await environmentOf(folder, receiver)
    const photo = await blankPage()
    const next = random(20_260_301)
    const sessions: string[] = []
    let running = await start(environment)
    try {
      receiver.useSecret(running.app.webhook_secret)
      const baseUrl = `http://127.0.0.1:${environment.PORT}`
      const api = apiClient(baseUrl, running.app.api_key)
      for (let round = 0; round < kills; round++) {
        sessions.push(
          ...(await Promise.all(Array.from({ length: sessionsPerRound }, () => submit(api, baseUrl, photo)))),
        )
        // Any time from the first message to the last delivery of the round.
        await new Promise((resume) => setTimeout(resume, next() * 400))
        await running.process.kill('SIGKILL')
        running = await start(environment)
      }
      for (const sessionId of sessions) {
        const event = await receiver.until(
          (item) => item.data.session_id === sessionId && isDecided(item.data.status),
          120_000,
        )
        const decision = (await api.get<Decision>(`/v1/sessions/${sessionId}/decision`)).body
        expect(decision.status).toBe(event.data.status)
        // Deliveries may repeat, but their content must not differ: one delivery id per transition.
        const told = receiver.received.filter((item) => item.data.session_id === sessionId)
        const perTransition = new Map(
          told.map((item) => [`${item.data.previous_status}>${item.data.status}`, new Set<string>()]),
        )
        for (const item of told)
          perTransition.get(`${item.data.previous_status}>${item.data.status}`)?.add(item.delivery_id)
        expect([...perTransition.keys()].sort()).toEqual(
          ['not_started>in_progress', 'in_progress>processing', `processing>${event.data.status}`].sort(),
        )
        for (const ids of perTransition.values()) expect(ids.size).toBe(1)
      }
      expect(receiver.refused()).toBe(0)
    } finally {
      await running.process.kill()
      await receiver.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
  15 * 60_000,
)
