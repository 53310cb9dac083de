import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import sharp from 'sharp'
import supertest from 'supertest'
import {
  type FaceHarness,
  firstPhoto,
  hasFaces,
  photo,
  secondPhoto,
  startFaceService,
  strangerPhoto,
} from './harness.ts'

const path = '/v1/checks/face-match'
const measured = hasFaces ? describe : describe.skip
const blank = () =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: '#7788aa' } })
    .png()
    .toBuffer()

async function post(
  harness: FaceHarness,
  parts: Record<string, Buffer>,
  headers: Record<string, string> = {},
  caller: Parameters<FaceHarness['identity']>[0] = {},
) {
  let request = supertest(harness.service.app)
    .post(path)
    .set(await harness.identity(caller))
    .set(headers)
  for (const [name, bytes] of Object.entries(parts)) request = request.attach(name, bytes, `${name}.bin`)
  return request
}

describe(`POST ${path} without model files`, () => {
  let harness: FaceHarness
  beforeAll(async () => {
    harness = await startFaceService({ models: false })
  })
  afterAll(() => harness.close())

  test('responds with 422 because the models are unavailable', async () => {
    const image = await blank()
    const { status, body } = await post(harness, { image_a: image, image_b: image })
    expect(status).toBe(422)
    expect(body).toEqual({ error: { code: 'unprocessable', message: 'The face models are unavailable.' } })
  })

  test('with an idempotency key, repeats the error for the same images and a conflict for others', async () => {
    const caller = { app_id: 'app_1', key_id: 'key_1' }
    const send = async (image_b: Buffer) =>
      post(harness, { image_a: await blank(), image_b }, { 'idempotency-key': 'pair' }, caller)
    const first = await send(await blank())
    const again = await send(await blank())
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([422, undefined])
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([422, 'true'])
    expect(again.body).toEqual(first.body)
    const other = await send(Buffer.concat([await blank(), Buffer.from('more')]))
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict'])
  })

  test('responds with 401 without the gateway’s internal identity', async () => {
    const { status } = await supertest(harness.service.app)
      .post(path)
      .attach('image_a', await blank(), 'a.png')
    expect(status).toBe(401)
  })
})

measured(`POST ${path} (skipped where photos or models are absent)`, () => {
  let harness: FaceHarness
  beforeAll(async () => {
    harness = await startFaceService()
  })
  afterAll(() => harness.close())

  test('matches two photos of the same person', async () => {
    const { status, body } = await post(harness, { image_a: firstPhoto(), image_b: secondPhoto() })
    expect(status).toBe(200)
    expect(body).toEqual({
      similarity: expect.any(Number),
      match: true,
      threshold: 0.363,
      faces: { a: 1, b: 1 },
    })
    expect(body.similarity).toBeCloseTo(0.846, 2)
  })

  test('with an idempotency key, compares again with the same result and stores no response', async () => {
    const images = { image_a: firstPhoto(), image_b: secondPhoto() }
    const caller = { app_id: 'app_1', key_id: 'key_1' }
    const send = () => post(harness, images, { 'idempotency-key': 'pair' }, caller)
    const first = await send()
    const again = await send()
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect(again.body).toEqual(first.body)
    const { rows } = await harness.database.query('SELECT status, sealed_body FROM idempotent_reply')
    expect(rows).toEqual([{ status: 200, sealed_body: null }])
  })

  test('distinguishes two persons in any photo format', async () => {
    const image_b = await sharp(strangerPhoto()).webp({ quality: 95 }).toBuffer()
    const { status, body } = await post(harness, {
      image_a: await sharp(firstPhoto()).png().toBuffer(),
      image_b,
    })
    expect(status).toBe(200)
    expect(body.match).toBe(false)
    expect(body.similarity).toBeLessThan(0.3)
  })

  test('counts every face and compares the most prominent one', async () => {
    const many = photo('deepface/tests/unit/dataset/couple.jpg')
    const { body } = await post(harness, { image_a: many, image_b: many })
    expect(body.faces).toEqual({ a: 2, b: 2 })
    expect(body.similarity).toBe(1)
  })

  test('names the image that shows no face', async () => {
    const answers = [
      await post(harness, { image_a: await blank(), image_b: firstPhoto() }),
      await post(harness, { image_a: firstPhoto(), image_b: await blank() }),
    ]
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [422, { code: 'unprocessable', message: 'image_a: no face found' }],
      [422, { code: 'unprocessable', message: 'image_b: no face found' }],
    ])
  })

  test('names the part that is not an image, too small or missing', async () => {
    const text = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    const small = await sharp(await blank())
      .resize(20, 20)
      .png()
      .toBuffer()
    const notImage = await post(harness, { image_a: text, image_b: firstPhoto() })
    const tooSmall = await post(harness, { image_a: firstPhoto(), image_b: small })
    const missing = await post(harness, { image_a: firstPhoto() })
    expect([notImage.status, notImage.body.error.code]).toEqual([400, 'bad_request'])
    expect(notImage.body.error.message).toMatch(/^image_a: not an image/)
    expect([tooSmall.status, tooSmall.body.error.code]).toEqual([422, 'unprocessable'])
    expect(tooSmall.body.error.message).toMatch(/^image_b: too small/)
    expect([missing.status, missing.body.error.code]).toEqual([400, 'bad_request'])
    expect(missing.body.error.message).toMatch(/image_b/)
  })
})
