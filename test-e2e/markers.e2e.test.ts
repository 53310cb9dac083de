import { readFileSync } from 'node:fs'
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createWorkflow, type Decision, type SignedPurgeCertificate, workflowConfig } from '@kyc/common'
import { openVault } from '@kyc/host'
import { createLogger, freePort, silentLogger, systemClock } from '@kyc/runtime'
import { type RunningSystem, readConfig, startSystem } from '@kyc/service-standalone'
import { modelsDir } from '@kyc/testing'
import pg from 'pg'
import { type Api, apiClient } from './support/api.ts'
import { person } from './support/journey.ts'
import { facePhotos } from './support/photos.ts'
import { findInTables, findMarkers, findOnDisk, type Markers } from './support/plaintext-search.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { type Holder, specimenPassport } from './support/specimen.ts'
import { temporaryFolder, testEnvironment } from './support/system.ts'
import { until } from './support/until.ts'

const photos = facePhotos()
const complete = photos !== null && modelsDir() !== null
if (!complete) process.stdout.write('skipped: planted markers (no face photos or models here)\n')
const withData = complete ? describe : describe.skip

const holder: Holder = {
  surname: 'QUIXMARKOW',
  given_names: 'WILMARA',
  document_number: 'K7M4R2X9Q',
  birth: '790311',
  expiry: '340517',
  sex: 'F',
}
/** Every value that identifies the person, as given to the system or as the system writes it. */
const markers: Markers = {
  surname: holder.surname,
  'given names': holder.given_names,
  'document number': holder.document_number,
  'masked number': 'K7M4R****',
  'date of birth': '1979-03-11',
  'date of birth as printed': '11 MAR 1979',
  metadata: 'markedmetadata4711',
  'contact address': 'marked.contact.4711@example.org',
  'reviewer note': 'markednote4711',
  'standalone name': 'Markedstandalone Nameperson',
  'standalone PAN': 'MRKPD4711Q',
  'client address': '203.0.113.177',
}

/** Not personal, and stored in clear by contract: the search must find it, otherwise it would find nothing at all. */
const reference = 'plainreference4711'

let folder: string
let system: RunningSystem
let receiver: Receiver
let api: Api
let databaseUrl: string
let metricsUrl: string
let logged = ''

beforeAll(async () => {
  if (!complete) return
  folder = await temporaryFolder()
  receiver = await startReceiver()
  const metricsPort = await freePort()
  const environment = {
    ...(await testEnvironment(folder)),
    WEBHOOK_URL: receiver.url,
    TRUSTED_PROXIES: '127.0.0.1/32',
    METRICS_PORT: String(metricsPort),
  }
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  const logger = createLogger({ service: 'standalone', level: 'debug', stream })
  system = await startSystem(readConfig(environment), { logger })
  receiver.useSecret(system.app.webhook_secret)
  api = apiClient(system.url, system.app.api_key)
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  const postmaster = await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8')
  const password = (await readFile(join(folder, 'postgres', 'postgres-password'), 'utf8')).trim()
  databaseUrl = `postgresql://kyc:${password}@127.0.0.1:${postmaster.split('\n')[3]}/kyc`
})
afterAll(async () => {
  if (!complete) return
  await system.stop()
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

/** All places at once: logs, metrics, tables including queues, and every file, including those of the database. */
async function findAnywhere(sought: Markers): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // Flushes the server's buffers to its files.
  await client.query('CHECKPOINT')
  await client.end()
  const metrics = await (await fetch(metricsUrl)).text()
  expect(metrics).toContain('http_')
  return [
    ...findMarkers('logs', logged, sought),
    ...findMarkers('metrics', metrics, sought),
    ...(await findInTables(databaseUrl, sought)),
    ...(await findOnDisk(folder, sought)),
  ]
}

/** 96 bytes from the middle of a photo, which occur in no other file. */
const middleOf = (photo: Buffer) => photo.subarray(photo.length / 2, photo.length / 2 + 96)

async function appId(): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ app_id: string }>('SELECT app_id FROM session.app')
  await client.end()
  return rows[0]?.app_id ?? ''
}

withData('markers planted in every personal field of a whole journey', () => {
  let sessionId: string
  let images: Markers

  test('are nowhere in clear while the session lives, and the decision shows them', async () => {
    const [portrait, selfie] = (photos?.same ?? []).map((file) => readFile(file))
    const face = (await selfie) as Buffer
    const document = await specimenPassport(holder, (await portrait) as Buffer)
    images = { 'document photo': middleOf(document), selfie: middleOf(face) }

    const workflow = await system.bus.request(createWorkflow, {
      app_id: await appId(),
      name: 'Everything',
      is_default: false,
      config: workflowConfig.parse({
        steps: { email: { enabled: true }, age: { enabled: true, minimum: 70 }, aml: { monitor: true } },
      }),
    })
    const created = await api.post<{ session_id: string; session_token: string }>(
      '/v1/sessions',
      {
        workflow_id: workflow.id,
        vendor_data: reference,
        metadata: { customer: markers.metadata },
        contact: { email: markers['contact address'] },
      },
      { 'idempotency-key': 'marked' },
    )
    expect(created.status).toBe(201)
    sessionId = created.body.session_id
    const someone = person(system.url, created.body)
    const address = { 'x-forwarded-for': String(markers['client address']) }
    await someone.flow.post('/start', { locale: 'en' }, address)
    await someone.flow.post('/consent', { accepted: true, version: '1', locale: 'en' }, address)
    await someone.flow.post('/email', { email: markers['contact address'] }, address)
    expect((await someone.flow.post('/email', { code: '000000' }, address)).body).toMatchObject({
      verified: true,
    })
    expect((await someone.document(document)).body).toMatchObject({ accepted: true })
    expect((await someone.liveness(face)).body).toMatchObject({ accepted: true })
    expect((await someone.submit()).status).toBe(200)
    await receiver.until((item) => item.data.session_id === sessionId && item.data.status === 'in_review')
    await api.patch(`/v1/sessions/${sessionId}/status`, {
      status: 'approved',
      note: markers['reviewer note'],
    })
    await receiver.until((item) => item.data.session_id === sessionId && item.data.status === 'approved')

    await api.post('/v1/checks/aml', { full_name: markers['standalone name'], date_of_birth: '1979-03-11' })
    await api.post('/v1/checks/pan', { pan: markers['standalone PAN'], name: markers['standalone name'] })
    await api.post('/v1/checks/mrz', { lines: [`P<UTO${holder.surname}<<${holder.given_names}`] })
    // Error responses do not quote them either.
    await api.post('/v1/sessions', {
      contact: { email: `${markers.metadata}@` },
      metadata: 'markedmetadata4711',
    })
    await api.get(`/v1/sessions?${markers.metadata}=1`)

    const { body } = await api.get<Decision>(`/v1/sessions/${sessionId}/decision`)
    expect(body.identity).toMatchObject({
      full_name: `${holder.given_names} ${holder.surname}`,
      date_of_birth: '1979-03-11',
      document_number_masked: 'K7M4R****',
    })
    expect(body).toMatchObject({
      metadata: { customer: markers.metadata },
      review: { note: markers['reviewer note'] },
    })
    expect(logged.length).toBeGreaterThan(1_000)
    expect(await findAnywhere({ ...markers, ...images })).toEqual([])
    const control = (await findAnywhere({ reference })).map((line) => line.replace(/:.*/, ''))
    expect(control).toEqual(
      expect.arrayContaining(['session.session', 'session.outbox', 'webhook_dispatcher.delivery']),
    )
    expect(control.some((place) => place.includes('/postgres/data/base/'))).toBe(true)
    expect(control.some((place) => place.includes('/postgres/data/pg_wal/'))).toBe(true)
    expect(findMarkers('logs', logged, { message: 'embedded PostgreSQL is up' })).not.toEqual([])
  })

  test('are gone after the purge: no sealed column, no file, no key and no reference remains', async () => {
    const backup = join(folder, '..', `${folder.split('/').at(-1)}-backup`)
    await cp(join(folder, 'vault'), backup, { recursive: true })
    try {
      const path = `/v1/sessions/${sessionId}`
      const before = await vaultOf(folder).list({ app_id: await appId(), session_id: sessionId })
      expect(before.length).toBeGreaterThanOrEqual(2)
      expect((await api.delete(path)).status).toBe(204)
      const certificate = await until(
        () => api.get<SignedPurgeCertificate>(`${path}/purge-certificate`),
        (answer) => answer.status === 200,
      )
      const deleted = certificate.body.payload.services.flatMap((item) =>
        Object.entries(item.deleted).map(([name, count]) => [`${item.service}.${name}`, count] as const),
      )
      expect(Object.fromEntries(deleted)).toMatchObject({
        'checks.document_sides': 1,
        'checks.document_fingerprints': 1,
        'face-biometrics.face_embeddings': 1,
        'flow.evidence': 2,
        'sanctions-screening.monitored_sessions': 1,
        'webhook-dispatcher.decisions': 2,
        'session.session_check': 10,
      })
      expect(certificate.body.payload.vault).toEqual({
        data_key: 'destroyed',
        files_deleted: before.length,
        files_remaining: 0,
      })
      expect(await findAnywhere({ ...markers, ...images })).toEqual([])

      const scope = { app_id: await appId(), session_id: sessionId }
      const old = before[0]?.object_id ?? ''
      await expect(vaultOf(folder).get(scope, old)).rejects.toMatchObject({ code: 'key_destroyed' })
      // Yesterday's files restored over today's: the ledger rejects the key that came with them.
      await cp(backup, join(folder, 'vault'), { recursive: true, force: true })
      await expect(vaultOf(folder).get(scope, old)).rejects.toMatchObject({ code: 'key_destroyed' })
      const vault = vaultOf(folder)
      expect(await vault.replayLedger()).toMatchObject({ keys_destroyed: 1, files_deleted: before.length })
      expect(await vault.list(scope)).toEqual([])
    } finally {
      await rm(backup, { recursive: true, force: true })
    }
  })
})

function vaultOf(data: string) {
  const settings = { VAULT_STORE: `folder:${join(data, 'vault')}`, VAULT_KEY: keyOf(data) }
  return openVault(settings, { clock: systemClock, logger: silentLogger })
}

function keyOf(data: string): string {
  const { vault_key } = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8')) as { vault_key: string }
  return vault_key
}
