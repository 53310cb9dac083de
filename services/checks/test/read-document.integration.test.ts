import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { documentAnswer } from '@kyc/common'
import { type ServiceHarness, sharedDir, startService } from '@kyc/testing'
import sharp from 'sharp'
import request from 'supertest'
import { checksSchema, checksService, readChecksConfig } from '../src/service.ts'

const photo = sharedDir('data', 'mrz', 'photos', '003_td3.jpg')
const truth = ['P<RUSDOE<<JOHN<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<', 'D123456785UTO6508092M3505207<<<<<<<<<<<<<<<0']
let harness: ServiceHarness

beforeAll(async () => {
  const config = readChecksConfig({ DOCUMENT_READER_THREADS: '1', DOCUMENT_READER_QUEUE: '1' })
  harness = await startService('checks', checksSchema, (deps) => checksService(deps, config))
}, 120_000)
afterAll(() => harness?.close())

const post = async (image: Buffer) =>
  request(harness.service.app)
    .post('/v1/checks/document')
    .set(await harness.identity())
    .attach('image', image, { filename: 'photo', contentType: 'image/jpeg' })

const page = () =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: '#ddd' } })
    .jpeg()
    .toBuffer()

describe('POST /v1/checks/document', () => {
  test('answers 401 without an internal identity', async () => {
    const answer = await request(harness.service.app).post('/v1/checks/document')
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized'])
  })

  test('answers 422 for an image without a document', async () => {
    const answer = await post(await page())
    expect([answer.status, answer.body.error.code]).toEqual([422, 'unprocessable'])
  }, 120_000)

  test('replays the response for the same photo under an idempotency key, and reports a conflict for another photo', async () => {
    const send = async (image: Buffer, fields: Record<string, string> = {}) =>
      request(harness.service.app)
        .post('/v1/checks/document')
        .set(await harness.identity({ app_id: 'app_1', key_id: 'key_1' }))
        .set('idempotency-key', 'photo')
        .field(fields)
        .attach('image', image, { filename: 'photo', contentType: 'image/jpeg' })
    const first = await send(await page())
    const again = await send(await page())
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([422, 422, 'true'])
    expect(again.body).toEqual(first.body)
    expect((await send(await page(), { country: 'IND' })).status).toBe(409)
    const { rows } = await harness.database.query('SELECT status, sealed_body FROM idempotent_reply')
    expect(rows).toEqual([{ status: 422, sealed_body: null }])
  }, 120_000)

  test('answers 503 with retry-after when the queue of photos is full', async () => {
    const image = await page()
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(image)))
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422, 503]))
  }, 120_000)

  const withPhoto = photo ? test : test.skip
  withPhoto(
    'reads a passport that lies on its side, and an upright one by its EXIF orientation',
    async () => {
      const bytes = readFileSync(photo!)
      const turned = await sharp(bytes).rotate(90).jpeg({ quality: 92 }).toBuffer()
      // Rotates the pixels by a quarter turn and sets the matching EXIF orientation.
      const tagged = await sharp(bytes)
        .rotate(270)
        .withMetadata({ orientation: 6 })
        .jpeg({ quality: 92 })
        .toBuffer()
      for (const image of [turned, tagged]) {
        const answer = await post(image)
        expect(answer.status).toBe(200)
        const body = documentAnswer.parse(answer.body)
        expect(body.mrz?.lines).toEqual(truth)
        expect(body).toMatchObject({
          document_type: 'passport',
          identity: { full_name: 'JOHN DOE', date_of_birth: '1965-08-09', document_number: 'D12345678' },
        })
      }
    },
    120_000,
  )
})
