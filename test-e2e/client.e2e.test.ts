import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ConflictError, Kyc, NotFoundError, type Session, UnauthorizedError, webhooks } from '@kyc/client'
import { startExample } from './support/example-process.ts'
import { startTestSystem, type TestSystem } from './support/system.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const mrzLines = [
  'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<',
  'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
]

let system: TestSystem
let kyc: Kyc
let folder: string
beforeAll(async () => {
  // No webhook URL, because `listen` must not need one.
  system = await startTestSystem()
  kyc = new Kyc({ apiKey: system.app.api_key, baseUrl: system.url })
  folder = mkdtempSync(join(tmpdir(), 'kyc-command-'))
})
afterAll(async () => {
  await system?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the client, against the running system', () => {
  test('creates one session for one idempotency key, however often it is sent', async () => {
    const options = { idempotencyKey: 'order-17' }
    const first = await kyc.sessions.create({ vendor_data: 'once' }, options)
    expect(await kyc.sessions.create({ vendor_data: 'once' }, options)).toEqual(first)
    expect((await kyc.sessions.list({ vendor_data: 'once' })).total).toBe(1)
    await expect(kyc.sessions.create({ vendor_data: 'other' }, options)).rejects.toThrow(ConflictError)
  })

  test('iterates over every page, newest first', async () => {
    const made: string[] = []
    for (let n = 0; n < 7; n++) made.push((await kyc.sessions.create({ vendor_data: 'pages' })).session_id)
    const seen: Session[] = []
    for await (const session of kyc.sessions.list({ vendor_data: 'pages', page_size: 3 })) seen.push(session)
    expect(seen.map(({ session_id }) => session_id)).toEqual(made.reverse())
  })

  test('takes a session from creation through review to its purge', async () => {
    const { session_id } = await kyc.sessions.create({ metadata: { test_scenario: 'aml_match' } })
    await kyc.test.advance(session_id, 'in_review')
    await decided(session_id)
    expect(await kyc.sessions.decision(session_id)).toMatchObject({
      status: 'in_review',
      decision_reason: 'aml_potential_match',
      identity: { full_name: 'ALEX TESTPERSON' },
    })
    const reviewed = await kyc.sessions.decide(session_id, { status: 'approved', note: 'seen' })
    expect(reviewed.review).toMatchObject({ note: 'seen', reviewed_by: null })
    await kyc.sessions.purge(session_id)
    expect((await kyc.sessions.decision(session_id)).identity.full_name).toBeNull()
  })

  test('throws an error with the code and the request id of the response', async () => {
    await expect(kyc.sessions.get('ses_unknown')).rejects.toThrow(NotFoundError)
    await expect(kyc.sessions.get('ses_unknown')).rejects.toMatchObject({
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const stranger = new Kyc({ apiKey: 'kyc_test_unknown', baseUrl: system.url })
    await expect(stranger.workflows.list()).rejects.toThrow(UnauthorizedError)
  })

  test('calls the checks, one by one and in a batch', async () => {
    expect(await kyc.checks.mrz({ lines: mrzLines })).toMatchObject({ surname: 'ERIKSSON', valid: true })
    expect(await kyc.checks.pan({ pan: 'ABCPE1234F' })).toMatchObject({ holder_type: 'individual' })
    const names = Array.from({ length: 20 }, (_, n) => ({ id: String(n), full_name: `Person Number ${n}` }))
    const ids: string[] = []
    for await (const { id } of kyc.checks.amlBatch(names)) ids.push(id)
    expect(ids).toEqual(names.map(({ id }) => id))
  })
})

async function decided(sessionId: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    if (['approved', 'declined', 'in_review'].includes((await kyc.sessions.get(sessionId)).status)) return
    await new Promise((resume) => setTimeout(resume, 50))
  }
  throw new Error('the session was not decided')
}

describe('the kyc command', () => {
  const start = (args: string[], env: Record<string, string> = {}) =>
    startExample(
      process.execPath,
      ['--import', 'tsx', '--conditions=source', join(root, 'packages/client/src/cli/main.ts'), ...args],
      {
        cwd: root,
        env: {
          KYC_API_KEY: system.app.api_key,
          KYC_BASE_URL: system.url,
          KYC_WEBHOOK_SECRET: system.app.webhook_secret,
          ...env,
        },
      },
    )
  async function run(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
    const command = start(args)
    await new Promise((ended) => command.child.once('close', ended))
    return { code: command.child.exitCode, lines: command.lines() }
  }

  test('creates a session, shows it to people and to scripts, and lists it', async () => {
    const shown = await run('create', '--vendor-data', 'from-command')
    expect(shown.code).toBe(0)
    expect(shown.lines.join('\n')).toMatch(/session_id {2}ses_\w+/)
    const { lines } = await run('create', '--vendor-data', 'from-command', '--json')
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      status: 'not_started',
      vendor_data: 'from-command',
    })
    const listed = await run('sessions', '--vendor-data', 'from-command', '--json')
    expect(listed.lines).toHaveLength(2)
  })

  test('forwards signed events to a server on this machine while scenarios are triggered', async () => {
    const received: string[] = []
    let refused = 0
    const server: Server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        webhooks.verify(Buffer.concat(chunks), request.headers, system.app.webhook_secret).then(
          (event) => {
            if (event.event !== 'ping') received.push(`${event.data.session_id} ${event.data.status}`)
            response.writeHead(204).end()
          },
          () => {
            refused++
            response.writeHead(400).end()
          },
        )
      })
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const listening = start(['listen', '--forward-to', url])
    try {
      await listening.until(/^Ready/)
      const triggered = await run('trigger', 'face_mismatch', '--json')
      expect(triggered.code).toBe(0)
      const decision = JSON.parse(triggered.lines.at(-1) as string) as { session_id: string; status: string }
      expect(decision).toMatchObject({ status: 'in_review', decision_reason: 'face_mismatch' })
      await listening.until(new RegExp(`${decision.session_id} in_review {2}-> 204$`))
      const own = received.filter((line) => line.startsWith(decision.session_id))
      expect(own.map((line) => line.split(' ')[1])).toEqual(['in_progress', 'processing', 'in_review'])
      expect(refused).toBe(0)
    } finally {
      await listening.stop()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
    expect(listening.child.exitCode).toBe(0)
  })

  test('verifies a receipt with the service, then offline, and detects a changed one', async () => {
    const triggered = await run('trigger', 'approved', '--json')
    const { session_id } = JSON.parse(triggered.lines.at(-1) as string) as { session_id: string }
    const valid = await run('verify-receipt', session_id)
    expect(valid).toMatchObject({ code: 0 })
    expect(valid.lines[0]).toMatch(new RegExp(`^valid: ${session_id} was approved`))

    const [receipt, keys, decision] = await Promise.all([
      kyc.sessions.receipt(session_id),
      kyc.signingKeys.list(),
      kyc.sessions.decision(session_id),
    ])
    const keep = (name: string, value: unknown) => {
      writeFileSync(join(folder, name), JSON.stringify(value))
      return join(folder, name)
    }
    const trusted = ['--keys', keep('keys.json', keys)]
    const offline = (file: string, ...more: string[]) =>
      run('verify-receipt', '--file', file, ...trusted, '--base-url', 'http://127.0.0.1:9', ...more)
    const genuine = keep('receipt.json', receipt)
    expect((await offline(genuine, '--decision', keep('decision.json', decision))).code).toBe(0)
    const other = { ...decision, identity: { ...decision.identity, full_name: 'SOMEONE ELSE' } }
    const changed = await offline(genuine, '--decision', keep('other.json', other))
    expect([changed.code, changed.lines.join()]).toEqual([1, expect.stringContaining('identity')])
    const forged = keep('forged.json', { ...receipt, payload: { ...receipt.payload, status: 'declined' } })
    expect((await offline(forged)).code).toBe(1)
  })

  test('parses a machine readable zone and screens a name', async () => {
    const file = join(folder, 'mrz.txt')
    writeFileSync(file, mrzLines.join('\n'))
    const zone = await run('mrz', file)
    expect(zone.lines.join('\n')).toMatch(/surname +ERIKSSON/)
    const screened = await run('screen', 'Anna', 'Eriksson', '--json')
    expect(JSON.parse(screened.lines[0] as string)).toHaveProperty('matches')
  })

  test('reports what is wrong, with the documented exit code', async () => {
    expect(await run('decision', 'ses_unknown')).toMatchObject({
      code: 1,
      lines: [expect.stringMatching(/^not_found: .+ \(request [0-9a-f-]{36}\)$/)],
    })
    expect((await run('no-such')).code).toBe(2)
    expect((await run('trigger', 'no_such_scenario')).code).toBe(2)
    expect((await run('create', '--metadata', '{')).code).toBe(2)
    const keyless = start(['sessions'], { KYC_API_KEY: '' })
    await keyless.until(/the API key is missing/)
  })
})
