import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sha256Hex } from '@kyc/runtime'
import { SMTPServer } from 'smtp-server'
import supertest from 'supertest'
import { type FlowHarness, startFlowService } from './harness.ts'

let flow: FlowHarness
let server: SMTPServer
/** The codes that were sent, newest last. */
const mailed: string[] = []

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        mailed.push(/^Subject: (\d{6}) /m.exec(raw)?.[1] ?? 'none')
        done()
      })
    },
  })
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  flow = await startFlowService(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`)
})
afterAll(async () => {
  await flow.close()
  await new Promise<void>((resume) => server.close(() => resume()))
})

async function post(path: string, body: object) {
  const headers = await flow.identity({ type: 'flow' })
  return supertest(flow.service.app).post(path).set(headers).send(body)
}
const enter = (token: string, code: string) => post(`/flow/${token}/email`, { code })
const send = (token: string, email = 'erika@example.org') => post(`/flow/${token}/email`, { email })

/** A live session whose e-mail step is open. */
async function openSession() {
  const token = flow.addSession({ environment: 'live', config: { steps: { email: { enabled: true } } } })
  await post(`/flow/${token}/consent`, { accepted: true, version: '1' })
  return token
}

/** The token and code of such a session after a code was sent. */
async function withCode() {
  const token = await openSession()
  expect((await send(token)).body).toMatchObject({ sent: true, attempts_remaining: 5 })
  return { token, code: mailed.at(-1) ?? '' }
}

const wrongFor = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

describe('a code sent by mail', () => {
  test('verifies the address once', async () => {
    const { token, code } = await withCode()
    expect((await enter(token, code)).body).toMatchObject({ verified: true })
    expect((await enter(token, code)).status).toBe(409)
  })

  test('verifies once when it is entered several times concurrently', async () => {
    const { token, code } = await withCode()
    const answers = await Promise.all(Array.from({ length: 8 }, () => enter(token, code)))
    expect(answers.filter(({ body }) => body.verified === true)).toHaveLength(1)
  })

  test('is accepted for ten minutes after it was sent', async () => {
    const inTime = await withCode()
    flow.clock.advance({ minutes: 9, seconds: 59 })
    expect((await enter(inTime.token, inTime.code)).body).toMatchObject({ verified: true })
    const late = await withCode()
    flow.clock.advance({ minutes: 10 })
    expect((await enter(late.token, late.code)).status).toBe(422)
  })

  test('allows five attempts, even concurrent ones, and then rejects the correct code', async () => {
    const { token, code } = await withCode()
    const wrong = Array.from({ length: 20 }, (_, index) => enter(token, wrongFor(code, index + 1)))
    const statuses = (await Promise.all(wrong)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 422)).toHaveLength(15)
    expect((await enter(token, code)).status).toBe(422)
  })

  test('is replaced by the next one, with at most five sends and 25 attempts in total', async () => {
    const token = await openSession()
    const codes: string[] = []
    for (let sends = 1; sends <= 5; sends++) {
      expect((await send(token)).body).toMatchObject({ sent: true })
      codes.push(mailed.at(-1) ?? '')
      // A second send within a minute is suppressed.
      expect((await send(token)).body).toMatchObject({ sent: false })
      const before = codes.at(-2)
      if (before && before !== codes.at(-1))
        expect((await enter(token, before)).body).toMatchObject({ verified: false, attempts_remaining: 4 })
      flow.clock.advance({ seconds: 61 })
    }
    const sixth = await send(token)
    expect(sixth.status).toBe(409)
    expect(mailed.at(-1)).toBe(codes.at(-1))
  })

  test('is not valid for another session', async () => {
    const mine = await withCode()
    const other = await withCode()
    expect(mine.code).not.toBe(other.code)
    expect((await enter(other.token, mine.code)).body).toMatchObject({ verified: false })
    expect((await enter(other.token, other.code)).body).toMatchObject({ verified: true })
  })

  test('differs each time and uses the full range of six digits', async () => {
    const codes: string[] = []
    for (let index = 0; index < 12; index++) codes.push((await withCode()).code)
    expect(new Set(codes).size).toBeGreaterThan(10)
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
    // The probability that all twelve codes are below 100,000 is 1 in 10^12.
    expect(codes.some((code) => Number(code) >= 100_000)).toBe(true)
  })

  test('cannot be found in the database by trying all six-digit codes without the key', async () => {
    const { token, code } = await withCode()
    const { rows } = await flow.database.query<{ code_hash: string; session_id: string }>(
      'SELECT code_hash, session_id FROM email_verification ORDER BY sent_at DESC, session_id',
    )
    const hashes = new Set(rows.map(({ code_hash }) => code_hash))
    expect(hashes.size).toBeGreaterThan(1)
    for (const { session_id } of rows)
      for (const text of [code, `${session_id} ${code}`, `${session_id} 1 ${code}`, `${token} ${code}`])
        expect(hashes.has(sha256Hex(text))).toBe(false)
    expect(JSON.stringify(rows)).not.toContain(code)
  })
})

describe('a hand-off code', () => {
  const handOff = async () => {
    const token = await openSession()
    const { body } = await post(`/flow/${token}/handoff`, {})
    return { path: new URL(body.url).pathname, code: body.code as string }
  }

  test('is accepted for ten minutes after its creation', async () => {
    const inTime = await handOff()
    flow.clock.advance({ minutes: 9, seconds: 59 })
    expect((await post(`${inTime.path}/start`, { code: inTime.code })).status).toBe(200)
    const late = await handOff()
    flow.clock.advance({ minutes: 10 })
    expect((await post(`${late.path}/start`, { code: late.code })).status).toBe(404)
  })

  test('allows five concurrent attempts and is not valid for another link', async () => {
    const mine = await handOff()
    const other = await handOff()
    expect(mine.code).not.toBe(other.code)
    expect((await post(`${other.path}/start`, { code: mine.code })).status).toBe(409)
    const guesses = Array.from({ length: 20 }, (_, index) =>
      post(`${mine.path}/start`, { code: wrongFor(mine.code, index + 1) }),
    )
    await Promise.all(guesses)
    expect((await post(`${mine.path}/start`, { code: mine.code })).status).toBe(404)
  })
})

test('opening a link by GET neither starts a session nor uses up a hand-off link', async () => {
  const openAll = async (link: string) => {
    for (const path of ['', '/state', '/changes'])
      for (const accept of ['text/html', 'application/json'])
        await flow.request('get', `${link}${path}`, { accept })
  }
  const token = flow.addSession()
  await openAll(`/flow/${token}`)
  expect((await flow.request('get', `/flow/${token}/state`)).body.status).toBe('not_started')
  await post(`/flow/${token}/consent`, { accepted: true, version: '1' })
  const { body } = await post(`/flow/${token}/handoff`, {})
  const link = new URL(body.url).pathname
  await openAll(link)
  expect((await post(`${link}/start`, { code: body.code })).status).toBe(200)
})
