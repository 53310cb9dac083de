import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { mrzAnswer, panAnswer, secureQrAnswer } from '@kyc/common'
import { newId } from '@kyc/runtime'
import { type ServiceHarness, startService } from '@kyc/testing'
import request from 'supertest'
import { checksSchema, checksService, readChecksConfig } from '../src/service.ts'
import { buildSecureQr } from './fixtures/build-secure-qr.ts'
import { expiredCertificate } from './fixtures/expired-certificate.ts'

const issuer = generateKeyPairSync('rsa', { modulusLength: 2048 })
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 })
const passport = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
]

let folder: string
let harness: ServiceHarness

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-certificates-'))
  const config = readChecksConfig({ AADHAAR_CERTIFICATES_DIR: folder })
  harness = await startService('checks', checksSchema, (deps) => checksService(deps, config))
})

afterAll(async () => {
  await harness?.close()
  await rm(folder, { recursive: true, force: true })
})

const post = async (path: string, body: unknown) =>
  request(harness.service.app)
    .post(path)
    .set(await harness.identity())
    .send(body as object)

describe.each([
  ['/v1/checks/mrz', { lines: passport }],
  ['/v1/checks/pan', { pan: 'AAAPT1234Q' }],
  ['/v1/checks/aadhaar/secure-qr', { qr_text: '1' }],
])('POST %s', (path, body) => {
  test('answers 401 without an internal identity', async () => {
    const answer = await request(harness.service.app).post(path).send(body)
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized'])
  })

  test('names the missing, mistyped or unknown field', async () => {
    const [field] = Object.keys(body) as [string]
    for (const bad of [{}, { [field]: 7 }, { ...body, extra: 1 }]) {
      const answer = await post(path, bad)
      expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request'])
      expect(answer.body.error.message).toContain('extra' in bad ? 'extra' : field)
    }
  })
})

describe.each([
  ['/v1/checks/mrz', { lines: passport }, { lines: ['no zone'] }, 200],
  ['/v1/checks/mrz', { lines: ['no zone'] }, { lines: passport }, 422],
  ['/v1/checks/pan', { pan: 'AAAPT1234Q' }, { pan: 'AAAPT1234R' }, 200],
  [
    '/v1/checks/aadhaar/secure-qr',
    { qr_text: buildSecureQr({ indicator: '0', key: issuer.privateKey }) },
    { qr_text: '1' },
    200,
  ],
])('POST %s under an idempotency key', (path, body, otherBody, status) => {
  test(`answers ${status} again, keeps nothing of it, and is a conflict for another body`, async () => {
    const caller = { app_id: newId('app'), key_id: newId('api_key') }
    const send = async (sent: object) =>
      request(harness.service.app)
        .post(path)
        .set(await harness.identity(caller))
        .set('idempotency-key', 'one')
        .send(sent)
    const first = await send(body)
    harness.clock.advance({ hours: 20 })
    const again = await send(body)
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([status, undefined])
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([status, 'true'])
    expect(again.body).toEqual(first.body)
    const other = await send(otherBody)
    expect([other.status, other.body.error.code]).toEqual([409, 'conflict'])
    const { rows } = await harness.database.query(
      'SELECT status, session_id, sealed_body FROM idempotent_reply WHERE app_id = $1',
      [caller.app_id],
    )
    expect(rows).toEqual([{ status, session_id: null, sealed_body: null }])
  })
})

describe('POST /v1/checks/mrz', () => {
  test('parses a passport with every documented field', async () => {
    const answer = await post('/v1/checks/mrz', { lines: passport })
    expect(answer.status).toBe(200)
    expect(mrzAnswer.strict().parse(answer.body)).toEqual({
      format: 'td3',
      document_code: 'P',
      issuing_state: 'UTO',
      surname: 'ERIKSSON',
      given_names: 'ANNA MARIA',
      document_number: 'L898902C3',
      nationality: 'UTO',
      birth_date_raw: '740812',
      expiry_date_raw: '120415',
      birth_date: '1974-08-12',
      expiry_date: '2012-04-15',
      sex: 'F',
      optional_data: 'ZE184226B',
      optional_data_2: null,
      check_digits: {
        document_number: true,
        birth_date: true,
        expiry_date: true,
        optional_data: true,
        composite: true,
      },
      valid: true,
      lines: passport,
      corrections: [],
    })
  })

  test('finds the MRZ among noisy lines and lists the corrections', async () => {
    const lines = [
      'REPUBLIC OF UTOPIA',
      'Surname',
      passport[0],
      passport[1]!.replace('7408122', '74O8I22'),
      'Signature',
    ]
    const answer = await post('/v1/checks/mrz', { lines })
    expect(answer.body).toMatchObject({ valid: true, lines: passport })
    expect(answer.body.corrections).toEqual([
      { line: 1, position: 15, field: 'birth_date', from: 'O', to: '0' },
      { line: 1, position: 17, field: 'birth_date', from: 'I', to: '1' },
    ])
  })

  test('returns an MRZ with failing check digits as not valid', async () => {
    const answer = await post('/v1/checks/mrz', {
      lines: [passport[0], passport[1]!.replace('7408122', '7408125')],
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ valid: false, check_digits: { birth_date: false, composite: false } })
  })

  test('answers 422 when there is no MRZ or its layout is unknown', async () => {
    for (const lines of [['no', 'mrz', 'here'], [''], ['<'.repeat(50), '<'.repeat(50)]]) {
      const answer = await post('/v1/checks/mrz', { lines })
      expect([answer.status, answer.body.error.code]).toEqual([422, 'unprocessable'])
    }
  })

  test('accepts at most twenty lines of two hundred characters', async () => {
    const most = await post('/v1/checks/mrz', { lines: Array(20).fill('X'.repeat(200)) })
    expect(most.status).toBe(422)
    for (const lines of [Array(21).fill('X'), ['X'.repeat(201)]]) {
      const answer = await post('/v1/checks/mrz', { lines })
      expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request'])
      expect(answer.body.error.message).toContain('lines')
    }
  })
})

describe('POST /v1/checks/pan', () => {
  test('validates structure and name initial', async () => {
    const answer = await post('/v1/checks/pan', { pan: ' aaapt 1234q', name: 'Asha Testwala' })
    expect(answer.status).toBe(200)
    expect(panAnswer.strict().parse(answer.body)).toMatchObject({
      normalized: 'AAAPT1234Q',
      valid_format: true,
      holder_type: 'individual',
      name_initial_match: true,
      issues: [],
      government_lookup: false,
      note: expect.stringContaining('tructural validation only'),
    })
  })

  test('answers 200 with the issues of a malformed PAN', async () => {
    const answer = await post('/v1/checks/pan', { pan: 'AAAXT0000Q' })
    expect(answer.status).toBe(200)
    expect(answer.body.valid_format).toBe(false)
    expect(answer.body.issues.map(({ code }: { code: string }) => code)).toEqual([
      'unknown_holder_type',
      'zero_sequence',
    ])
  })

  test('accepts a name of at most two hundred characters', async () => {
    expect((await post('/v1/checks/pan', { pan: 'AAAPT1234Q', name: 'T'.repeat(200) })).status).toBe(200)
    const answer = await post('/v1/checks/pan', { pan: 'AAAPT1234Q', name: 'T'.repeat(201) })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request'])
    expect(answer.body.error.message).toContain('name')
  })
})

describe('POST /v1/checks/aadhaar/secure-qr', () => {
  const qr = buildSecureQr({ indicator: '0', key: issuer.privateKey })
  const verify = (qr_text: string) => post('/v1/checks/aadhaar/secure-qr', { qr_text })

  test('decodes and reports that no certificate is installed', async () => {
    const answer = await verify(qr)
    expect(answer.status).toBe(200)
    expect(secureQrAnswer.strict().parse(answer.body)).toMatchObject({
      source: 'secure_qr',
      version: 'V1',
      signature: 'no_certificates',
      signature_key: null,
    })
  })

  test('verifies with a certificate added at run time, and names it', async () => {
    const pem = issuer.publicKey.export({ type: 'spki', format: 'pem' })
    await writeFile(join(folder, 'issuer_2026.pem'), pem)
    await writeFile(join(folder, 'not_a_key.cer'), 'nothing')
    harness.clock.advance({ seconds: 2 })
    expect((await verify(qr)).body).toMatchObject({ signature: 'valid', signature_key: 'issuer_2026' })
  })

  test('verifies with an expired certificate in DER', async () => {
    await writeFile(join(folder, 'expired.cer'), expiredCertificate(stranger))
    harness.clock.advance({ seconds: 2 })
    const text = buildSecureQr({ indicator: '0', key: stranger.privateKey })
    expect((await verify(text)).body).toMatchObject({ signature: 'valid', signature_key: 'expired' })
    await rm(join(folder, 'expired.cer'))
    harness.clock.advance({ seconds: 2 })
    expect((await verify(text)).body).toMatchObject({ signature: 'invalid', signature_key: null })
  })

  test('answers 422 that names the stage and contains nothing of the content', async () => {
    for (const text of ['0x1f8b', '<?xml?>', '9'.repeat(16_384), qr.slice(0, -200)]) {
      const answer = await verify(text)
      expect([answer.status, answer.body.error.code]).toEqual([422, 'unprocessable'])
      expect(answer.body.error.message).toMatch(/^qr_text /)
      expect(answer.body.error.message).not.toContain(text.slice(0, 6))
    }
  })

  test('accepts at most sixteen kilobytes', async () => {
    const answer = await verify('9'.repeat(16_385))
    expect([answer.status, answer.body.error.code]).toEqual([400, 'bad_request'])
    expect(answer.body.error.message).toContain('qr_text')
  })

  test('returns neither photo nor reference id', async () => {
    const text = JSON.stringify((await verify(qr)).body)
    expect(text).not.toContain('269720190308')
    expect(text.length).toBeLessThan(1_200)
  })
})
