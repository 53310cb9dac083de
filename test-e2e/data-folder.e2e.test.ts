import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { CreatedSession } from '@kyc/common'
import { freePort } from '@kyc/runtime'
import { apiClient } from './support/api.ts'
import { type ServiceProcess, startProcess, untilUp } from './support/process.ts'
import { temporaryFolder, testEnvironment } from './support/system.ts'

let folder: string
let environment: Record<string, string>
let processes: ServiceProcess[]
beforeEach(async () => {
  folder = await temporaryFolder()
  environment = { ...(await testEnvironment(folder)), LOG_LEVEL: 'info', SANCTIONS_DIR: '' }
  processes = []
})
afterEach(async () => {
  for (const started of processes) await started.kill()
  await rm(folder, { recursive: true, force: true })
})

const start = (overrides: Record<string, string> = {}) => {
  const started = startProcess('standalone', { ...environment, ...overrides })
  processes.push(started)
  return started
}
const url = () => `http://127.0.0.1:${environment.PORT}`
const app = () =>
  JSON.parse(readFileSync(join(folder, 'standalone.json'), 'utf8')) as {
    api_key: string
    webhook_secret: string
    console: { password: string }
  }
const api = () => apiClient(url(), app().api_key)
const serverPid = () => readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]
const exitCode = async ({ child }: ServiceProcess) => child.exitCode ?? (await once(child, 'exit'))[0]

describe('one process per data folder', () => {
  test('a second start fails, names the owner, and does not affect the running system', async () => {
    const first = start()
    await untilUp(`${url()}/health`, first)
    const before = { server: serverPid(), files: readdirSync(folder).sort() }

    const second = start({ PORT: String(await freePort()) })
    expect(await exitCode(second)).toBe(1)
    expect(second.output()).toContain(`${folder} is in use by process ${first.child.pid} on `)
    expect(second.output()).toMatch(/running since \d{4}-\d\d-\d\dT/)

    expect({ server: serverPid(), files: readdirSync(folder).sort() }).toEqual(before)
    expect((await api().post<CreatedSession>('/v1/sessions', {})).status).toBe(201)
  }, 120_000)

  test('after SIGKILL the next start stops the orphaned PostgreSQL, and serves the stored data', async () => {
    const first = start()
    await untilUp(`${url()}/health`, first)
    const created = await api().post<CreatedSession>('/v1/sessions', {})
    const orphan = serverPid()
    await first.kill('SIGKILL')

    const next = start()
    await untilUp(`${url()}/health`, next)
    expect(serverPid()).not.toBe(orphan)
    expect((await api().get(`/v1/sessions/${created.body.session_id}`)).status).toBe(200)
  }, 120_000)

  test('of ten processes that start at once on a new folder, exactly one serves', async () => {
    const ports = await Promise.all(Array.from({ length: 10 }, freePort))
    const contenders = ports.map((port) => start({ PORT: String(port) }))
    const served = await Promise.all(
      contenders.map((contender, index) =>
        untilUp(`http://127.0.0.1:${ports[index]}/health`, contender, 120_000).then(
          () => true,
          () => false,
        ),
      ),
    )
    expect(served.filter(Boolean)).toHaveLength(1)
    const owner = contenders[served.indexOf(true)] as ServiceProcess
    for (const refused of contenders.filter((contender) => contender !== owner)) {
      expect(await exitCode(refused)).toBe(1)
      expect(refused.output()).toContain(`is in use by process ${owner.child.pid} on `)
    }
  }, 180_000)
})

describe('the secrets of the first start', () => {
  const secrets = () => [app().api_key, app().webhook_secret, app().console.password]

  test('are not printed to an output that is not a terminal: it gets the path of the file', async () => {
    const first = start()
    await untilUp(`${url()}/health`, first)
    // The line is printed after the port opens.
    while (!first.output().includes('Ready at'))
      await once(first.child.stdout as NodeJS.ReadableStream, 'data')
    expect(first.output()).toContain(join(folder, 'standalone.json'))
    for (const secret of secrets()) expect(first.output()).not.toContain(secret)
  }, 120_000)

  const hasScript = process.platform === 'linux' && existsSync('/usr/bin/script')
  if (!hasScript) process.stdout.write('skipped: a terminal (the command script is not here)\n')
  const onTerminal = hasScript ? test : test.skip
  onTerminal(
    'are printed to a terminal once',
    async () => {
      const firstOutput = await runOnTerminal()
      for (const secret of secrets()) expect(firstOutput).toContain(secret)
      const secondOutput = await runOnTerminal()
      for (const secret of secrets()) expect(secondOutput).not.toContain(secret)
    },
    180_000,
  )

  /** The output of the system on a pseudo-terminal, from its start until it is ready and stopped. */
  async function runOnTerminal(): Promise<string> {
    const command = `exec "${process.execPath}" services/standalone/dist/main.js`
    const child = spawn('/usr/bin/script', ['--quiet', '--command', command, '/dev/null'], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    const ended = once(child, 'exit')
    while (!output.includes('Ready at') && child.exitCode === null)
      await Promise.race([once(child.stdout, 'data'), ended])
    const { pid } = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as { pid: number }
    process.kill(pid, 'SIGTERM')
    await ended
    return output
  }
})
