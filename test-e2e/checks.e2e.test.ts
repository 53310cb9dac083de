import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { amlAnswer, faceMatchAnswer, mrzAnswer, panAnswer, secureQrAnswer } from '@kyc/common'
import { modelsDir, sharedDir } from '@kyc/testing'
import sharp from 'sharp'
import { buildSecureQr } from '../services/checks/test/fixtures/build-secure-qr.ts'
import { type Api, apiClient } from './support/api.ts'
import { whenNotBusy } from './support/journey.ts'
import { startTestSystem, type TestSystem, temporaryFolder } from './support/system.ts'

// Tests section 4.9 of the API documentation, the standalone checks, through the gateway like a client's backend.

const passport = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
]
const issuer = generateKeyPairSync('rsa', { modulusLength: 2048 })
const qr = buildSecureQr({ indicator: '0', key: issuer.privateKey })
const lists = sharedDir('data', 'sanctions', 'lists', 'ofac_2024-05-03')
const models = modelsDir()

let system: TestSystem
let api: Api
let folder: string

beforeAll(async () => {
  folder = await temporaryFolder()
  await mkdir(join(folder, 'certificates'))
  const pem = issuer.publicKey.export({ type: 'spki', format: 'pem' })
  await writeFile(join(folder, 'certificates', 'issuer_2026.pem'), pem)
  system = await startTestSystem({ AADHAAR_CERTIFICATES_DIR: join(folder, 'certificates') })
  api = apiClient(system.url, system.app.api_key)
})
afterAll(async () => {
  await system?.close()
  await rm(folder, { recursive: true, force: true })
})

const pictures = (images: Record<string, Buffer>): FormData => {
  const form = new FormData()
  for (const [field, bytes] of Object.entries(images))
    form.set(field, new Blob([new Uint8Array(bytes)]), `${field}.jpg`)
  return form
}
const grey = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#808080' } })
    .jpeg()
    .toBuffer()

async function refused(
  path: string,
  body: unknown,
): Promise<[status: number, code: string, message: string]> {
  const answer = await api.post<{ error: { code: string; message: string } }>(path, body)
  return [answer.status, answer.body.error.code, answer.body.error.message]
}

describe('POST /v1/checks/pan', () => {
  test('removes spaces, converts to upper case, and states that nothing was looked up', async () => {
    const { status, body } = await api.post('/v1/checks/pan', { pan: ' abc pe 1234 f', name: 'Erik Example' })
    expect(status).toBe(200)
    expect(panAnswer.parse(body)).toMatchObject({
      normalized: 'ABCPE1234F',
      valid_format: true,
      holder_type: 'individual',
      name_initial_match: true,
      government_lookup: false,
    })
  })

  test.each([
    ['no pan', {}, 'pan'],
    ['a pan that is a number', { pan: 7 }, 'pan'],
    ['too long a name', { pan: 'ABCPE1234F', name: 'x'.repeat(201) }, 'name'],
  ])('answers 400 for %s', async (_, body, field) => {
    const [status, code, message] = await refused('/v1/checks/pan', body)
    expect([status, code]).toEqual([400, 'bad_request'])
    expect(message).toContain(field)
  })
})

describe('POST /v1/checks/mrz', () => {
  test('reads a passport’s zone among noisy lines', async () => {
    const { status, body } = await api.post('/v1/checks/mrz', { lines: ['PASSPORT', ...passport] })
    expect(status).toBe(200)
    expect(mrzAnswer.parse(body)).toMatchObject({
      format: 'td3',
      surname: 'ERIKSSON',
      document_number: 'L898902C3',
      birth_date_raw: '740812',
      birth_date: '1974-08-12',
      valid: true,
      lines: passport,
    })
  })

  test.each([
    ['too many lines', { lines: Array<string>(21).fill('x') }],
    ['too long a line', { lines: ['x'.repeat(201)] }],
    ['no lines', {}],
  ])('answers 400 for %s', async (_, body) => {
    const [status, code, message] = await refused('/v1/checks/mrz', body)
    expect([status, code]).toEqual([400, 'bad_request'])
    expect(message).toContain('lines')
  })

  test.each([
    ['there is no zone', ['no zone here']],
    ['the layout is none of the supported', ['P<UTO', 'L8989']],
  ])('answers 422 if %s', async (_, lines) => {
    expect((await refused('/v1/checks/mrz', { lines })).slice(0, 2)).toEqual([422, 'unprocessable'])
  })
})

describe('POST /v1/checks/aadhaar/secure-qr', () => {
  test('decodes and verifies, and returns neither photo nor reference id', async () => {
    const { status, body } = await api.post('/v1/checks/aadhaar/secure-qr', { qr_text: qr })
    expect(status).toBe(200)
    expect(secureQrAnswer.parse(body)).toMatchObject({
      source: 'secure_qr',
      signature: 'valid',
      signature_key: 'issuer_2026',
      photo_present: true,
    })
    expect(JSON.stringify(body)).not.toContain('269720190308')
  })

  test('still returns the content of one that another key signed', async () => {
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const qr_text = buildSecureQr({ indicator: '0', key: stranger.privateKey })
    const { status, body } = await api.post('/v1/checks/aadhaar/secure-qr', { qr_text })
    expect([status, secureQrAnswer.parse(body).signature]).toEqual([200, 'invalid'])
  })

  test('answers 422 for a text that is not a Secure QR, and 400 for one over 16 KB', async () => {
    const path = '/v1/checks/aadhaar/secure-qr'
    expect((await refused(path, { qr_text: '12345' })).slice(0, 2)).toEqual([422, 'unprocessable'])
    const [status, code, message] = await refused(path, { qr_text: '9'.repeat(16_385) })
    expect([status, code]).toEqual([400, 'bad_request'])
    expect(message).toContain('qr_text')
  })
})

describe('POST /v1/checks/aml', () => {
  test.each([
    ['no name', {}, 'full_name'],
    ['too long a name', { full_name: 'x'.repeat(301) }, 'full_name'],
    ['a day that is none', { full_name: 'Erik Example', date_of_birth: '1974-13-40' }, 'date_of_birth'],
    ['no ISO country', { full_name: 'Erik Example', nationality: 'Utopia' }, 'nationality'],
  ])('answers 400 for %s', async (_, body, field) => {
    const [status, code, message] = await refused('/v1/checks/aml', body)
    expect([status, code]).toEqual([400, 'bad_request'])
    expect(message).toContain(field)
  })

  const withLists = lists ? test : test.skip
  withLists(
    'finds a listed name in any order and says which lists were asked (needs real lists)',
    async () => {
      // A system that has just started may still be loading its lists, and reports that.
      const { status, body } = await whenNotBusy(() =>
        api.post('/v1/checks/aml', { full_name: 'bin Ladin Saad' }),
      )
      expect(status).toBe(200)
      const { matches, lists: asked, warnings } = amlAnswer.parse(body)
      expect(matches.length).toBeGreaterThan(0)
      expect(matches.length).toBeLessThanOrEqual(10)
      expect(matches.map(({ score }) => score)).toEqual(
        matches.map(({ score }) => score).sort((a, b) => b - a),
      )
      expect(Math.min(...matches.map(({ score }) => score))).toBeGreaterThanOrEqual(0.8)
      expect(asked.every(({ entity_count }) => entity_count > 0)).toBe(true)
      expect(warnings.map(({ code }) => code)).not.toContain('lists_not_loaded')
    },
  )
})

describe('POST /v1/checks/face-match', () => {
  test('answers 400 for a missing image and for data that is not an image, and names the field', async () => {
    const missing = await refused('/v1/checks/face-match', pictures({ image_a: await grey(300) }))
    expect([missing[0], missing[1]]).toEqual([400, 'bad_request'])
    expect(missing[2]).toContain('image_b')
    const text = Buffer.from('no picture at all')
    const none = await refused('/v1/checks/face-match', pictures({ image_a: text, image_b: await grey(300) }))
    expect([none[0], none[1]]).toEqual([400, 'bad_request'])
    expect(none[2]).toContain('image_a')
  })

  const faces = sharedDir('data', 'faces', 'deepface', 'tests', 'unit', 'dataset')
  const withFaces = models && faces ? test : test.skip
  withFaces(
    'compares the most prominent faces, and says at which threshold (needs models and photos)',
    async () => {
      const photo = await readFile(join(faces ?? '', 'img1.jpg'))
      const { status, body } = await api.post(
        '/v1/checks/face-match',
        pictures({ image_a: photo, image_b: photo }),
      )
      expect(status).toBe(200)
      expect(faceMatchAnswer.parse(body)).toEqual({
        similarity: 1,
        match: true,
        threshold: 0.363,
        faces: { a: 1, b: 1 },
      })
    },
  )

  withFaces(
    'answers 422 where no face is found, and which image it is (needs models and photos)',
    async () => {
      const [status, code, message] = await refused(
        '/v1/checks/face-match',
        pictures({ image_a: await grey(300), image_b: await grey(300) }),
      )
      expect([status, code]).toEqual([422, 'unprocessable'])
      expect(message).toContain('image_a')
    },
  )

  test('answers 400 for an image over 10 MB', async () => {
    const images = pictures({ image_a: Buffer.alloc(10_000_001, 1), image_b: await grey(300) })
    const [status, code] = await refused('/v1/checks/face-match', images)
    expect([status, code]).toEqual([400, 'bad_request'])
  })
})
