// `strangers-journey.mjs`: times the first steps of a new user. Clones the committed state, starts it with the README's
// command, creates a session, and waits for its signed webhook. Prints a table; exits with 1 if a step fails.
import './require-node.mjs'
import { spawn, spawnSync } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './packages.mjs'

const patienceMs = 15 * 60_000
// As root, PostgreSQL runs as another user, so the folder must be traversable.
const folder = mkdtempSync(join(tmpdir(), 'kyc-stranger-'))
spawnSync('chmod', ['711', folder])
const clone = join(folder, 'kyc')
const steps = []
let last = performance.now()
const done = (step) => {
  const now = performance.now()
  steps.push([step, now - last])
  last = now
}

/** A receiver that accepts events with a valid signature only; resolves with the first event that matches. */
async function startReceiver() {
  const events = []
  const waiting = []
  let secret
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const mac = createHmac('sha256', secret ?? '')
      .update(`${request.headers['x-kyc-timestamp']}.`)
      .update(raw)
    const expected = Buffer.from(`v1=${mac.digest('hex')}`)
    const given = Buffer.from(String(request.headers['x-kyc-signature']))
    const genuine =
      secret !== undefined && given.length === expected.length && timingSafeEqual(given, expected)
    response.writeHead(genuine ? 204 : 400).end()
    if (genuine) events.push(JSON.parse(raw))
    for (const look of waiting) look()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/hook`,
    useSecret: (value) => {
      secret = value
    },
    until: (fits) =>
      new Promise((resolve) => {
        const look = () => events.some(fits) && resolve()
        waiting.push(look)
        look()
      }),
    close: () => server.close(),
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((closed) => server.close(closed))
  return port
}

/** The environment of this process, without the variables by which pnpm tells its children to skip the install. */
const strangersEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(lifecycle|package|command|execpath)|p?npm_config_verify_deps|pnpm_run)/i.test(name),
    ),
  )

const receiver = await startReceiver()
let service
let code = 1
const deadline = setTimeout(() => {
  process.stderr.write(`not done after ${patienceMs / 60_000} minutes\n`)
  if (service) process.kill(-service.pid, 'SIGTERM')
}, patienceMs)
try {
  const cloned = spawnSync('git', ['clone', '--quiet', root, clone], { stdio: 'inherit' })
  if (cloned.status !== 0) throw new Error('the clone failed')
  done('clone')

  const port = await freePort()
  service = spawn('npx', ['--yes', 'pnpm', 'start'], {
    cwd: clone,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...strangersEnvironment(),
      PORT: String(port),
      WEBHOOK_URL: receiver.url,
      ALLOW_PRIVATE_WEBHOOKS: '1',
      SANCTIONS_DOWNLOAD: '0',
    },
  })
  let said = ''
  const ready = new Promise((resolve, reject) => {
    service.once('exit', () => reject(new Error(`it ended:\n${said.slice(-4000)}`)))
    for (const stream of [service.stdout, service.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk
        if (/Done in|Already up to date/.test(said) && steps.length === 1) done('install')
        if (said.includes('Ready at')) resolve()
      })
    }
  })
  await ready
  done('build and first start')

  const {
    api_key: key,
    base_url: base,
    webhook_secret: secret,
  } = JSON.parse(readFileSync(join(clone, '.data', 'standalone.json'), 'utf8'))
  receiver.useSecret(secret)
  const call = async (path, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const session = await call('/v1/sessions', { metadata: { test_scenario: 'approved' } })
  done('session created')
  await call(`/v1/test/sessions/${session.session_id}/advance`, { to: 'approved' })
  await receiver.until(({ data }) => data.session_id === session.session_id && data.status === 'approved')
  done('webhook received and verified')
  code = 0
} catch (error) {
  process.stderr.write(`${error.message}\n`)
} finally {
  clearTimeout(deadline)
  if (service && service.exitCode === null) {
    const ended = once(service, 'exit')
    process.kill(-service.pid, 'SIGTERM')
    await ended
  }
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
}
const total = steps.reduce((sum, [, ms]) => sum + ms, 0)
for (const [step, ms] of [...steps, ['together', total]]) {
  process.stdout.write(`${step.padEnd(30)} ${(ms / 1000).toFixed(1).padStart(7)} s\n`)
}
process.exitCode = code
