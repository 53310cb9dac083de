import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type FlowState, findFlowLinks } from '@kyc/common'
import { newToken, sha256Hex } from '@kyc/runtime'
import supertest from 'supertest'
import { type FlowHarness, startFlowService } from './harness.ts'

let flow: FlowHarness
beforeAll(async () => {
  // Nothing listens on this port, which simulates a mail server that is down.
  flow = await startFlowService('smtp://127.0.0.1:1')
})
afterAll(() => flow.close())

async function post(path: string, body: object, cookie?: string) {
  const request = supertest(flow.service.app)
    .post(path)
    .set(await flow.identity({ type: 'flow' }))
  if (cookie) request.set('cookie', cookie)
  return request.send(body)
}
const consent = (token: string) => post(`/flow/${token}/consent`, { accepted: true, version: '1' })
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])

async function upload(token: string, uploadId: string) {
  return supertest(flow.service.app)
    .post(`/flow/${token}/document`)
    .set(await flow.identity({ type: 'flow' }))
    .field({ side: 'front', document_type: 'passport', upload_id: uploadId })
    .attach('image', jpeg, 'a.jpg')
}

describe('an upload', () => {
  test('that arrives twice with the same id is evaluated and counted once', async () => {
    const token = flow.addSession()
    await consent(token)
    const before = flow.reads()
    const [first, again] = [await upload(token, 'first-upload'), await upload(token, 'first-upload')]
    expect(first.body).toMatchObject({ accepted: false, attempts_remaining: 2 })
    expect(again.body).toEqual(first.body)
    expect(flow.reads()).toBe(before + 1)
    expect((await upload(token, 'second-upload')).body).toMatchObject({ attempts_remaining: 1 })
  })
})

describe('the language of a session', () => {
  const config = { locales: ['en', 'ar'] }
  const consentOf = (state: FlowState) =>
    state.steps.find(({ key }) => key === 'consent')?.options.text as string

  test('is the one it was started in, and the consent text uses it', async () => {
    const token = flow.addSession({ config })
    const before: FlowState = (await flow.request('get', `/flow/${token}/state`)).body
    const { body: started } = await post(`/flow/${token}/start`, { locale: 'ar-EG' })
    expect([before.locale, started.locale]).toEqual(['en', 'ar'])
    expect(consentOf(started)).toMatch(/^[\u0600-\u06ff\s،.]+$/)
    expect(consentOf(started)).not.toBe(consentOf(before))
  })

  test('is retained when resubmission is requested', async () => {
    const token = flow.addSession({ config })
    await post(`/flow/${token}/start`, { locale: 'ar' })
    flow.askAgain(token)
    const { body } = await flow.request('get', `/flow/${token}/state`)
    expect(body.locale).toBe('ar')
    await consent(token)
    expect((await flow.request('get', `/flow/${token}/state`)).body.locale).toBe('ar')
  })
})

describe('a hand-off', () => {
  const handOff = async () => {
    const token = flow.addSession()
    await consent(token)
    const { body } = await post(`/flow/${token}/handoff`, {})
    return { token, path: new URL(body.url).pathname, code: body.code as string }
  }

  test('opens only on the device where the code was entered, and the first device is notified', async () => {
    const { token, path, code } = await handOff()
    const waiting = await flow.request('get', `/flow/${token}/changes`)
    expect(waiting.body.state.handoff).toEqual({ enabled: true, device: 'waiting' })
    const followed = flow.request('get', `/flow/${token}/changes?revision=${waiting.body.revision}`)

    expect((await flow.request('get', `${path}/state`)).status).toBe(409)
    const wrong = code === '000000' ? '111111' : '000000'
    expect((await post(`${path}/start`, { code: wrong })).status).toBe(409)
    const confirmed = await post(`${path}/start`, { code })
    expect(confirmed.status).toBe(200)
    const [header = ''] = confirmed.get('set-cookie') ?? []
    expect(header).toMatch(/HttpOnly/i)
    expect(header).toMatch(/SameSite=Strict/i)
    const cookie = header.split(';')[0]

    expect((await flow.request('get', `${path}/state`, { cookie })).status).toBe(200)
    expect((await flow.request('get', `${path}/state`)).status).toBe(404)
    expect((await post(`${path}/start`, { code })).status).toBe(404)
    expect((await followed).body.state.handoff.device).toBe('connected')
  })

  test('is used up by five wrong codes', async () => {
    const { path, code } = await handOff()
    const wrong = code === '000000' ? '111111' : '000000'
    const answers = []
    for (let tries = 0; tries < 5; tries++)
      answers.push((await post(`${path}/start`, { code: wrong })).status)
    expect(answers).toEqual([409, 409, 409, 409, 404])
    expect((await post(`${path}/start`, { code })).status).toBe(404)
  })
})

describe('a mail server that is down', () => {
  test('is reported as retryable, does not count as a send, and leaves the step open', async () => {
    const config = { steps: { email: { enabled: true } } }
    const token = flow.addSession({ environment: 'live', config })
    await consent(token)
    const answer = await post(`/flow/${token}/email`, { email: 'erika@example.org' })
    expect(answer.status).toBe(503)
    expect(Number(answer.get('retry-after'))).toBeGreaterThan(0)
    const state: FlowState = (await flow.request('get', `/flow/${token}/state`)).body
    expect(state.current_step).toBe('email')
    expect(state.steps.find(({ key }) => key === 'email')).toMatchObject({
      status: 'pending',
      options: { sent_to: null, resend_in: 0 },
    })
  })
})

describe('an unknown link', () => {
  test('returns the usual error to clients that do not accept HTML', async () => {
    const program = await flow.request('get', '/flow/nobody-has-this', { accept: '*/*' })
    expect(program.status).toBe(404)
    expect(program.body).toMatchObject({ error: { code: 'not_found' } })
    expect((await flow.request('get', '/flow/nobody-has-this/changes')).status).toBe(404)
  })
})

describe('the state', () => {
  test('of an open session has no return URL and masks the e-mail address', async () => {
    const config = { steps: { email: { enabled: true } } }
    const token = flow.addSession({ environment: 'test', config })
    await consent(token)
    expect((await post(`/flow/${token}/email`, { email: 'erika@example.org' })).status).toBe(200)
    const { body } = await flow.request('get', `/flow/${token}/state`)
    expect(body.return_url).toBeNull()
    expect(JSON.stringify(body)).not.toContain('erika')
    expect(body.steps[1].options).toMatchObject({ sent_to: 'e****@example.org', attempts_remaining: 5 })
  })
})

describe('the lookup of links', () => {
  test('recognises only the tokens of sessions and of hand-offs, in any state', async () => {
    const token = flow.addSession()
    await post(`/flow/${token}/start`, { locale: 'en' })
    const { body: handoff } = await post(`/flow/${token}/handoff`, {})
    const phone = new URL(handoff.url).pathname.split('/')[2] ?? ''
    const known = async (tokens: string[]) =>
      (await flow.bus.request(findFlowLinks, { token_sha256: tokens.map((each) => sha256Hex(each)) })).known
    expect(new Set(await known([newToken(), token, newToken(), phone]))).toEqual(
      new Set([sha256Hex(token), sha256Hex(phone)]),
    )
    flow.clock.advance({ hours: 1 })
    expect(await known([phone])).toEqual([sha256Hex(phone)])
    expect(await known([newToken()])).toEqual([])
  })
})
