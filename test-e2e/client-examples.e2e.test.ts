import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Kyc, type WebhookEvent } from '@kyc/client'
import { signEvent, statusEvent } from '@kyc/client/testing'
import { setUpApp } from '@kyc/common'
import { freePort } from '@kyc/runtime'
import { type ExampleProcess, has, startExample } from './support/example-process.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const examples = join(root, 'packages', 'client', 'examples')

let system: TestSystem
let folder: string
beforeAll(async () => {
  system = await startTestSystem()
  folder = mkdtempSync(join(tmpdir(), 'kyc-examples-'))
})
afterAll(async () => {
  await system?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A separate app whose webhooks go to the port that the example will listen on. */
async function appFor(path: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}${path}`
  const app = await system.bus.request(setUpApp, {
    name: 'Example',
    environment: 'test',
    webhook_url: url,
    owner_email: 'owner@localhost.localdomain',
  })
  const env = {
    KYC_API_KEY: app.api_key,
    KYC_BASE_URL: system.url,
    KYC_WEBHOOK_SECRET: app.webhook_secret,
    PORT: String(port),
  }
  return { url, env, secret: app.webhook_secret, kyc: new Kyc({ apiKey: app.api_key, baseUrl: system.url }) }
}

async function post(url: string, event: WebhookEvent, secret: string, body?: string): Promise<number> {
  const signed = await signEvent(event, secret)
  const answer = await fetch(url, { method: 'POST', headers: signed.headers, body: body ?? signed.body })
  return answer.status
}

const languages = [
  {
    language: 'Python',
    there: has('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'),
    cwd: join(examples, 'python'),
    build: async () => {},
    program: () => ['python3', 'kyc_example.py'],
  },
  {
    language: 'Go',
    there: has('go', 'version'),
    cwd: join(examples, 'go'),
    build: async () => {
      const { PATH = '', HOME = '' } = process.env
      const env = { PATH, HOME, GOTOOLCHAIN: 'local' }
      const args = ['build', '-o', join(folder, 'kyc-example'), '.']
      await promisify(execFile)('go', args, { cwd: join(examples, 'go'), env })
    },
    program: () => [join(folder, 'kyc-example')],
  },
]

describe.each(languages)('the example in $language', ({ language, there, cwd, build, program }) => {
  if (!there) process.stdout.write(`skipped: the example in ${language} (it is not on this machine)\n`)
  const withLanguage = there ? test : test.skip

  withLanguage('creates a session, takes its genuine events once, and refuses forged ones', async () => {
    const { url, env, secret, kyc } = await appFor('/')
    await build()
    const [command = '', ...args] = program()
    const options = { cwd, env }
    const receiver = startExample(command, [...args, 'receive'], options)
    try {
      await receiver.until(/^listening on \d+$/)
      const metadata = JSON.stringify({ test_scenario: 'approved' })
      const creating = startExample(command, [...args, 'create', 'customer-17', metadata], options)
      const created = JSON.parse(await creating.until(/session_id/)) as { session_id: string; url: string }
      await creating.stop()
      expect(created.url).toContain('/flow/')
      expect(await kyc.sessions.get(created.session_id)).toMatchObject({ vendor_data: 'customer-17' })

      await kyc.test.advance(created.session_id, 'approved')
      await receiver.until(new RegExp(`^${created.session_id} approved$`))
      const own = () => receiver.lines().filter((line) => line.startsWith(created.session_id))
      expect(own().map((line) => line.split(' ')[1])).toEqual(['in_progress', 'processing', 'approved'])

      const event = statusEvent('declined', { session_id: created.session_id })
      expect(await post(url, event, 'whsec_another')).toBe(400)
      expect(await post(url, event, secret, JSON.stringify({ ...event, x: 1 }))).toBe(400)
      const old = await signEvent(event, secret, { timestampSeconds: Math.floor(Date.now() / 1000) - 400 })
      expect((await fetch(url, { method: 'POST', headers: old.headers, body: old.body })).status).toBe(400)
      expect((await fetch(url, { method: 'POST', body: old.body })).status).toBe(400)
      expect(own()).toHaveLength(3)
      const other = statusEvent('declined')
      expect([await post(url, other, secret), await post(url, other, secret)]).toEqual([204, 204])
      await receiver.until(new RegExp(`^${other.data.session_id} declined$`))
      expect(receiver.lines().filter((line) => line.startsWith(other.data.session_id))).toHaveLength(1)
    } finally {
      await receiver.stop()
    }
  })
})

describe('the example in Express', () => {
  let backend: ExampleProcess | undefined
  afterAll(async () => backend?.stop())

  test('keeps each customer in the state that the API returns, in whatever order and however often events arrive', async () => {
    const { url, env, secret, kyc } = await appFor('/hook')
    const origin = new URL(url).origin
    backend = startExample(
      process.execPath,
      ['--import', 'tsx', '--conditions=source', join(examples, 'express-backend', 'server.mjs')],
      { cwd: root, env: { ...env, SELF_URL: origin } },
    )
    await backend.until(/^listening on \d+$/)
    const begun = await fetch(`${origin}/customers/17/verification`, { method: 'POST' })
    expect(await begun.json()).toMatchObject({ url: expect.stringContaining('/flow/') })
    const { data } = await kyc.sessions.list({ vendor_data: '17' })
    const sessionId = data[0]?.session_id as string
    const customer = async () => (await fetch(`${origin}/customers/17`)).json() as Promise<{ status: string }>
    const untilStatus = async (status: string) => {
      for (const end = Date.now() + 30_000; Date.now() < end; ) {
        if ((await customer()).status === status) return
        await new Promise((resume) => setTimeout(resume, 50))
      }
      throw new Error(`the customer never became ${status}: ${JSON.stringify(await customer())}`)
    }
    await kyc.test.advance(sessionId, 'in_review')
    await untilStatus('in_review')
    await kyc.sessions.decide(sessionId, { status: 'approved' })
    await untilStatus('approved')

    const late = statusEvent('processing', { session_id: sessionId, vendor_data: '17' })
    expect([await post(url, late, secret), await post(url, late, secret)]).toEqual([204, 204])
    expect(await customer()).toMatchObject({ status: 'approved' })
    expect(await post(url, statusEvent('declined', { session_id: sessionId }), 'whsec_forged')).toBe(400)

    const back = await fetch(`${origin}/done?session_id=${sessionId}&status=declined`)
    expect(await back.json()).toEqual({ message: 'Welcome.' })
  })
})
