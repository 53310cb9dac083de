import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { CreatedSession, Decision } from '@kyc/common'
import { createLogger, freePort } from '@kyc/runtime'
import { type RunningSystem, readConfig, startSystem } from '@kyc/service-standalone'
import { createTestDatabase, modelsDir, type TestDatabase } from '@kyc/testing'
import { type Api, apiClient } from './support/api.ts'
import { blankPage } from './support/blank-page.ts'
import { type ConsoleClient, consoleClient, signInAndEnrol } from './support/console.ts'
import { person, submitSession } from './support/journey.ts'
import { facePhotos } from './support/photos.ts'
import { exampleHolder, specimenPassport } from './support/specimen.ts'
import { temporaryFolder, testEnvironment } from './support/system.ts'
import { until } from './support/until.ts'

let folder: string
let database: TestDatabase
let system: RunningSystem
let api: Api
let owner: ConsoleClient
let app: string
let metricsUrl: string
let logged = ''

beforeAll(async () => {
  folder = await temporaryFolder()
  database = await createTestDatabase()
  const metricsPort = await freePort()
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  const environment = {
    ...(await testEnvironment(folder)),
    DATABASE_URL: database.url,
    METRICS_PORT: String(metricsPort),
    SANCTIONS_DIR: '',
  }
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const logger = createLogger({ service: 'standalone', level: 'info', stream })
  system = await startSystem(readConfig(environment), { logger })
  api = apiClient(system.url, system.app.api_key)
  owner = consoleClient(system.url)
  await signInAndEnrol(owner, system.app.console)
  app = (await owner.get('/apps')).body.data[0].app_id
})
afterAll(async () => {
  await system.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const folderOf = (sessionId: string) => join(folder, 'vault', 'apps', app, 'sessions', sessionId)

async function statusOf(sessionId: string): Promise<string> {
  const { body } = await until(
    () => api.get<{ status: string }>(`/v1/sessions/${sessionId}`),
    (answer) => ['approved', 'declined', 'in_review'].includes(answer.body.status),
    60_000,
  )
  return body.status
}

/** The number of damaged reads, as exported to operators. */
async function damagesCounted(): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  const counts = [...text.matchAll(/^vault_integrity_failures_total\{[^}]*of="file"[^}]*\} (\d+)/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

/**
 * Bytes to flip, by region of the file: `KYCF`, version, length, frame size, salt, then type and frames with their
 * tags.
 */
function regions(file: Buffer): Record<string, number> {
  const typeBytes = file[5] ?? 0
  const [salt, type, frame] = [10, 42, 42 + typeBytes + 16]
  return {
    magic: 0,
    version: 4,
    'length of the content type': 5,
    'size of a frame': 9,
    salt,
    'content type': type,
    'tag of the content type': type + typeBytes,
    'first byte of the picture': frame,
    'middle of the picture': Math.floor((frame + file.length) / 2),
    'last byte of the picture': file.length - 17,
    'first byte of the last tag': file.length - 16,
    'last byte of the last tag': file.length - 1,
  }
}

const flipped = (file: Buffer, at: number, bit: number): Buffer => {
  const copy = Buffer.from(file)
  copy[at] = (copy[at] ?? 0) ^ (1 << bit)
  return copy
}

describe('one bit flipped anywhere in a stored evidence file', () => {
  let sessionId: string
  let objects: string[]
  const look = (object: string) => owner.picture(`/apps/${app}/sessions/${sessionId}/evidence/${object}`)

  beforeAll(async () => {
    const page = await blankPage()
    const metadata = { test_scenario: 'aml_match' }
    const session = await submitSession(api, system.url, { document: page, selfie: page }, { metadata })
    sessionId = session.session_id
    expect(await statusOf(sessionId)).toBe('in_review')
    const shown = await owner.get(`/apps/${app}/sessions/${sessionId}`)
    objects = shown.body.evidence.map((item: { object_id: string }) => item.object_id)
  })

  /** Checks that a request for the image is rejected, contains nothing of it, and is counted and logged. */
  async function expectRefused(object: string, how: string): Promise<void> {
    const before = await damagesCounted()
    logged = ''
    const { headers, bytes } = await look(object)
    expect([how, headers.get('content-type'), JSON.parse(bytes.toString())]).toEqual([
      how,
      'application/json; charset=utf-8',
      { error: expect.objectContaining({ code: 'internal' }) },
    ])
    expect(await damagesCounted()).toBe(before + 1)
    const told = logged.split('\n').filter((line) => line.includes('does not authenticate'))
    expect(told.some((line) => line.includes(object) && line.includes(sessionId))).toBe(true)
  }

  test('is detected, counted and logged, and nothing of the image is shown', async () => {
    expect(objects.length).toBeGreaterThanOrEqual(2)
    // Every existing file of the session, not only those that a page refers to.
    expect((await readdir(join(folderOf(sessionId), 'objects'))).sort()).toEqual([...objects].sort())
    for (const object of objects) {
      const path = join(folderOf(sessionId), 'objects', object)
      const file = await readFile(path)
      expect((await look(object)).headers.get('content-type')).toBe('image/jpeg')
      for (const [index, [region, at]] of Object.entries(regions(file)).entries()) {
        await writeFile(path, flipped(file, at, index % 8))
        await expectRefused(object, region)
      }
      for (const [how, bytes] of [
        ['cut by a byte', file.subarray(0, -1)],
        ['cut in the middle', file.subarray(0, file.length / 2)],
        ['longer by a byte', Buffer.concat([file, Buffer.alloc(1)])],
        ['empty', Buffer.alloc(0)],
      ] as const) {
        await writeFile(path, bytes)
        await expectRefused(object, how)
      }
      await writeFile(path, file)
      expect((await look(object)).headers.get('content-type')).toBe('image/jpeg')
    }
  }, 120_000)

  test('two swapped files are both rejected, and so is the report that would show them', async () => {
    const [a, b] = objects.map((object) => join(folderOf(sessionId), 'objects', object)) as [string, string]
    const [first, second] = [await readFile(a), await readFile(b)]
    await writeFile(a, second)
    await writeFile(b, first)
    for (const object of objects.slice(0, 2)) await expectRefused(object, 'exchanged')
    const report = await owner.get(`/apps/${app}/sessions/${sessionId}/report?evidence=true`)
    expect([report.status, report.body.error?.code]).toEqual([500, 'internal'])
    await writeFile(a, first)
    await writeFile(b, second)
  })

  test('of the wrapped data key: nothing of the session opens once the cached key is dropped', async () => {
    const path = join(folderOf(sessionId), 'key')
    const key = await readFile(path)
    for (const at of [0, Math.floor(key.length / 2), key.length - 1]) {
      await writeFile(path, flipped(key, at, 3))
      const refused = await until(
        () => look(objects[0] as string),
        ({ headers }) => headers.get('content-type')?.startsWith('application/json') === true,
        20_000,
      )
      expect(JSON.parse(refused.bytes.toString()).error.code).toBe('internal')
      await writeFile(path, key)
      await until(
        () => look(objects[0] as string),
        ({ headers }) => headers.get('content-type') === 'image/jpeg',
        20_000,
      )
    }
  }, 120_000)
})

const photos = facePhotos()
const complete = photos !== null && modelsDir() !== null
if (!complete)
  process.stdout.write('skipped: damage between upload and decision (no face photos or models here)\n')
const withData = complete ? describe : describe.skip

withData('one bit flipped between upload and decision', () => {
  /** A person whose document and face match, with `damage` applied to the stored data before the submission. */
  async function decisionAfter(damage: (sessionId: string) => Promise<void>): Promise<Decision> {
    const [portrait, selfie] = (photos?.same ?? []).map((file) => readFile(file))
    const document = await specimenPassport(exampleHolder, (await portrait) as Buffer)
    const created = (await api.post<CreatedSession>('/v1/sessions', { vendor_data: 'one' })).body
    const someone = person(system.url, created)
    await someone.consent()
    expect((await someone.document(document)).body).toMatchObject({ accepted: true })
    expect((await someone.liveness((await selfie) as Buffer)).body).toMatchObject({ accepted: true })
    await damage(created.session_id)
    expect((await someone.submit()).status).toBe(200)
    await statusOf(created.session_id)
    return (await api.get<Decision>(`/v1/sessions/${created.session_id}/decision`)).body
  }
  const faceMatch = ({ checks }: Decision) => checks.find((check) => check.kind === 'face_match')?.status

  test('makes the check that needs the file an error and sends the session to review; undamaged, the faces match', async () => {
    const intact = await decisionAfter(async () => {})
    expect(faceMatch(intact)).toBe('passed')
    const before = await damagesCounted()
    const damaged = await decisionAfter(async (sessionId) => {
      const objects = join(folderOf(sessionId), 'objects')
      for (const name of await readdir(objects)) {
        const file = await readFile(join(objects, name))
        await writeFile(join(objects, name), flipped(file, Math.floor(file.length / 2), 5))
      }
    })
    expect(faceMatch(damaged)).toBe('error')
    expect(damaged).toMatchObject({ status: 'in_review', decision_reason: 'processing_error' })
    expect(await damagesCounted()).toBeGreaterThan(before)
  }, 120_000)
})
