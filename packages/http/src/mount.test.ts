import { beforeAll, describe, expect, test } from '@jest/globals'
import { conflict, defineContract, UnavailableError } from '@kyc/common'
import { createMetrics, silentLogger, systemClock } from '@kyc/runtime'
import express from 'express'
import supertest from 'supertest'
import { z } from 'zod'
import {
  createIdentitySigner,
  createIdentityVerifier,
  generateIdentityKeys,
  identityHeader,
} from './identity.ts'
import { mount } from './mount.ts'
import { serviceApp } from './service-app.ts'

const common = { service: 'checks', caller: 'api_key', tag: 'Test', summary: 'Test' } as const
const contract = defineContract({
  echo: {
    ...common,
    method: 'post',
    path: '/echo/:id',
    params: z.object({ id: z.string() }),
    query: z.strictObject({ page: z.string().optional() }),
    body: z.strictObject({ word: z.string().max(5), times: z.int().min(1).max(3).default(1) }),
    success: { status: 201, body: z.object({ said: z.string() }) },
    errors: [],
    max_body_bytes: 200,
  },
  upload: {
    ...common,
    method: 'post',
    path: '/upload',
    multipart: {
      fields: z.strictObject({ side: z.enum(['front', 'back']) }),
      files: {
        image: { required: true, max_bytes: 10, description: 'An image' },
        more: { required: false, max_bytes: 10, max_count: 2, description: 'More' },
      },
    },
    success: { status: 200, body: z.object({ side: z.string(), sizes: z.array(z.int()) }) },
    errors: [],
  },
  shelf: {
    ...common,
    method: 'get',
    path: '/shelf/:book',
    params: z.object({ book: z.string() }),
    success: { status: 200, body: z.object({ book: z.string() }) },
    errors: [],
    revalidates: true,
    deprecated: {
      since: '2026-01-01T00:00:00Z',
      sunset: '2027-01-01T00:00:00Z',
      link: 'https://example.org/why',
    },
  },
  fail: {
    ...common,
    method: 'get',
    path: '/fail/:how',
    params: z.object({ how: z.string() }),
    success: { status: 204, body: null },
    errors: ['conflict'],
  },
})

let api: ReturnType<typeof supertest>
/** The files that the handler of the last upload received. */
let received: object[]
let headers: Record<string, string>
let keys: Awaited<ReturnType<typeof generateIdentityKeys>>

beforeAll(async () => {
  keys = await generateIdentityKeys()
  const sign = await createIdentitySigner(keys.privateKey, systemClock)
  const caller = {
    type: 'api_key',
    app_id: 'app_1',
    environment: 'test',
    key_id: 'key_1',
    address: null,
  } as const
  headers = { [identityHeader]: await sign(caller, 'checks') }
  const router = express.Router()
  const metrics = createMetrics('checks')
  mount(
    router,
    contract,
    {
      echo: async ({ params, body }, { caller: { app_id } }) => {
        const answer = {
          said: `${params.id} ${body.word.repeat(body.times)} ${app_id}`,
          secret: 'not in the contract',
        }
        return answer
      },
      upload: async ({ body, files }) => {
        const uploaded = [...files.image, ...files.more]
        received = uploaded
        return { side: body.side, sizes: uploaded.map((file) => file.bytes.length) }
      },
      shelf: async ({ params }) => params,
      fail: async ({ params }) => {
        if (params.how === 'conflict') throw conflict('Not now.')
        if (params.how === 'away') throw new UnavailableError('Busy.', 7)
        throw new Error('a secret cause')
      },
    },
    {
      verifyIdentity: await createIdentityVerifier(keys.publicKey, 'checks', systemClock),
      logger: silentLogger,
      metrics,
    },
  )
  api = supertest(
    serviceApp({ service: 'checks', logger: silentLogger, metrics, probes: [], routers: [router] }),
  )
})

const echo = (body: string | object) =>
  api.post('/echo/7').set(headers).set('content-type', 'application/json').send(body)

describe('a mounted endpoint', () => {
  test('returns the fields of its contract and no others', async () => {
    const answer = await echo({ word: 'hi', times: 2 }).expect(201)
    expect(answer.body).toEqual({ said: '7 hihi app_1' })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const refused = await echo({}).expect(400)
    expect(refused.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test.each([
    [{}, 'word: is required'],
    [{ word: 1 }, 'word: must be of type string'],
    [{ word: 'toolong' }, 'word: must be at most 5 characters long'],
    [{ word: 'a', times: 4 }, 'times: must be at most 3'],
    [{ word: 'a', other: 1 }, 'other: is not a known field'],
    ['[1', 'body: is not valid JSON in UTF-8'],
    [[1], 'body: must be of type object'],
    [{ word: 'a', pad: 'x'.repeat(300) }, 'body: must be at most 200 bytes'],
  ])('%j is a 400 with the message: %s', async (body, message) => {
    const answer = await echo(body as object).expect(400)
    expect(answer.body).toEqual({ error: { code: 'bad_request', message } })
  })

  test('rejects a body that is not JSON, and a compressed body', async () => {
    const text = await api
      .post('/echo/7')
      .set(headers)
      .set('content-type', 'text/plain')
      .send('word=a')
      .expect(400)
    expect(text.body.error.message).toContain('content-type')
    const packed = await echo({ word: 'a' }).set('content-encoding', 'gzip').expect(400)
    expect(packed.body.error.message).toContain('content-encoding')
  })

  test('rejects a repeated and an unknown query parameter', async () => {
    const twice = await api.post('/echo/7?page=1&page=2').set(headers).send({ word: 'a' }).expect(400)
    expect(twice.body.error.message).toContain('page')
    const unknown = await api.post('/echo/7?sort=1').set(headers).send({ word: 'a' }).expect(400)
    expect(unknown.body.error.message).toContain('sort')
  })

  test('returns a known error unchanged, and reveals nothing about an unknown one', async () => {
    const known = await api.get('/fail/conflict').set(headers).expect(409)
    expect(known.body).toEqual({ error: { code: 'conflict', message: 'Not now.' } })
    const away = await api.get('/fail/away').set(headers).expect(503)
    expect(away.headers['retry-after']).toBe('7')
    const unknown = await api.get('/fail/other').set(headers).expect(500)
    expect(unknown.body.error.code).toBe('internal')
    expect(JSON.stringify(unknown.body)).not.toContain('secret')
  })
})

describe('an endpoint that revalidates', () => {
  test('sends 304 to a caller that has the content, and changes the ETag with the content', async () => {
    const first = await api.get('/shelf/a').set(headers).expect(200)
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await api.get('/shelf/a').set(headers).set('if-none-match', known).expect(304)
      expect(again.text).toBe('')
      expect(again.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
    const other = await api.get('/shelf/b').set(headers).set('if-none-match', etag).expect(200)
    expect(other.body).toEqual({ book: 'b' })
  })

  test('that is deprecated announces since when, and when it ends', async () => {
    const answer = await api.get('/shelf/a').set(headers).expect(200)
    expect(answer.headers).toMatchObject({
      deprecation: '@1767225600',
      sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
      link: '<https://example.org/why>; rel="deprecation"',
    })
    const lasting = await api.get('/fail/conflict').set(headers)
    expect(lasting.headers).not.toHaveProperty('deprecation')
  })
})

describe('a multipart endpoint', () => {
  const upload = () => api.post('/upload').set(headers)

  test('receives fields and files', async () => {
    const answer = await upload()
      .field('side', 'front')
      .attach('image', Buffer.alloc(10), 'a.jpg')
      .attach('more', Buffer.alloc(3), 'b')
      .attach('more', Buffer.alloc(4), 'c')
    expect(answer.body).toEqual({ side: 'front', sizes: [10, 3, 4] })
  })

  test.each(['../../etc/passwd', 'a.jpg%00.exe', '<script>.png', 'C:\\boot.ini', 'é.jpg'])(
    'discards the file name %j and the content type from the client',
    async (filename) => {
      const attached = upload()
        .field('side', 'front')
        .attach('image', Buffer.from('bytes'), { filename, contentType: 'text/html' })
      expect((await attached).status).toBe(200)
      expect(received).toEqual([{ bytes: Buffer.from('bytes') }])
    },
  )

  test('receives an empty list for an absent optional file', async () => {
    const answer = await upload().field('side', 'front').attach('image', Buffer.alloc(1), 'a')
    expect(answer.body).toEqual({ side: 'front', sizes: [1] })
  })

  test.each([
    ['a missing file', () => upload().field('side', 'front'), 'image: is required'],
    [
      'an empty file',
      () => upload().field('side', 'front').attach('image', Buffer.alloc(0), 'a'),
      'image: is empty',
    ],
    [
      'a large file',
      () => upload().field('side', 'front').attach('image', Buffer.alloc(11), 'a'),
      'image: must be at most 10 bytes',
    ],
    ['an unknown file', () => upload().attach('other', Buffer.alloc(1), 'a'), 'other: is not a known field'],
    [
      'a file too often',
      () => upload().attach('image', Buffer.alloc(1), 'a').attach('image', Buffer.alloc(1), 'b'),
      'image: was given more than 1 times',
    ],
    [
      'a wrong field',
      () => upload().field('side', 'top').attach('image', Buffer.alloc(1), 'a'),
      'side: must be one of front, back',
    ],
    [
      'a field given twice',
      () => upload().field('side', 'front').field('side', 'back').attach('image', Buffer.alloc(1), 'a'),
      'side: was given twice',
    ],
    [
      'no multipart body',
      () => upload().send({ side: 'front' }),
      'content-type: must be multipart/form-data',
    ],
  ])('%s is a 400 that names it', async (_, send, message) => {
    const answer = await send()
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: { error: { code: 'bad_request', message } },
    })
  })
})

describe('an identity', () => {
  const caller = {
    type: 'api_key',
    app_id: 'app_1',
    environment: 'test',
    key_id: 'key_1',
    address: null,
  } as const
  const ask = (token: string) => api.get('/fail/conflict').set(identityHeader, token)

  test('that is missing, forged, for another service or expired is 401', async () => {
    await api.get('/fail/conflict').expect(401)
    await ask('nonsense').expect(401)
    const other = await generateIdentityKeys()
    await ask(await (await createIdentitySigner(other.privateKey, systemClock))(caller, 'checks')).expect(401)
    await ask(await (await createIdentitySigner(keys.privateKey, systemClock))(caller, 'session')).expect(401)
    const past = { now: () => new Date(Date.now() - 70_000) }
    await ask(await (await createIdentitySigner(keys.privateKey, past))(caller, 'checks')).expect(401)
  })

  test('of a person in the flow does not open an endpoint that requires a key', async () => {
    const sign = await createIdentitySigner(keys.privateKey, systemClock)
    await ask(await sign({ type: 'flow', address: null }, 'checks')).expect(401)
  })
})
