import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { build } from 'esbuild'

const folder = fileURLToPath(new URL('..', import.meta.url))
const root = join(folder, '..', '..')
const largestBytes = 15 * 1024

/** A project outside this repository in which only the packed client is installed. */
let project: string
const environment = { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_loglevel: 'error' }
const run = (program: string, args: string[], cwd = project) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', env: environment, stdio: ['ignore', 'pipe', 'pipe'] })

/** The oldest runtime that the package supports, from the registry; null if it is not available. */
const oldest = mkdtempSync(join(tmpdir(), 'kyc-node-18-'))
const node18 = (() => {
  const name = `node-${process.platform}-${process.arch}`
  try {
    const flags = ['--no-save', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    run('npm', ['install', ...flags, '--prefix', oldest, `${name}@18.20.8`], oldest)
    const program = join(oldest, 'node_modules', name, 'bin', 'node')
    return run(program, ['--version'], oldest).startsWith('v18.') ? program : null
  } catch {
    return null
  }
})()

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'kyc-client-'))
  run('npm', ['pack', '--silent', '--pack-destination', project], folder)
  const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) as string
  writeFileSync(join(project, 'package.json'), '{"name":"fresh","private":true,"type":"module"}')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`])
})
afterAll(() => {
  for (const folder of [project, oldest]) rmSync(folder, { recursive: true, force: true })
})

const program = `
import { ApiError, Kyc, type Session, type WebhookEvent, webhooks } from '@kyc/client'
import { signEvent, statusEvent } from '@kyc/client/testing'

const kyc = new Kyc({ apiKey: 'kyc_test_x', baseUrl: 'http://127.0.0.1:9' })
export const newest = async (): Promise<Session | undefined> => {
  for await (const session of kyc.sessions.list({ status: 'approved', page_size: 10 })) return session
}
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict'
// @ts-expect-error a status that does not exist
export const wrong = () => kyc.sessions.list({ status: 'aproved' })
// @ts-expect-error a field that does not exist
export const unknown = () => kyc.sessions.create({ vendor: 'x' })

export async function main(): Promise<void> {
  const secret = 'whsec_x'
  const { body, headers } = await signEvent(statusEvent('approved'), secret)
  const event: WebhookEvent = await webhooks.verify(body, headers, secret)
  const status: string = event.event === 'ping' ? 'ping' : event.data.status
  if (status !== 'approved') throw new Error(status)
  const refused = await webhooks.verify(body, headers, 'other').then(() => false, () => true)
  if (!refused) throw new Error('a wrong secret was accepted')
  const error = await kyc.health({ maxRetries: 0 }).then(() => null, (thrown: Error) => thrown)
  if (error?.name !== 'ConnectionError') throw new Error(String(error))
  console.log('works')
}
void main()
`

test('installs without any other package', () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@kyc'])
  expect(readdirSync(join(project, 'node_modules', '@kyc'))).toEqual(['client'])
})

test.each([
  ['ESM, node16', 'mts', 'node16', 'node16', []],
  ['CommonJS, node16', 'cts', 'node16', 'node16', []],
  ['a bundler', 'mts', 'esnext', 'bundler', ['--noEmit']],
])('compiles under tsc --strict as %s, and runs', (_, extension, module, resolution, extra) => {
  const name = `app-${module}-${extension}`
  mkdirSync(join(project, name))
  writeFileSync(join(project, name, `app.${extension}`), program)
  run(join(root, 'node_modules', '.bin', 'tsc'), [
    ...['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022'],
    ...['--lib', 'es2022,dom', '--types', '', '--skipLibCheck', 'false', '--module', module],
    ...['--moduleResolution', resolution, ...extra, `${name}/app.${extension}`],
  ])
  if (extra.length > 0) return
  const compiled = join(name, `app.${extension.replace('ts', 'js')}`)
  expect(run(process.execPath, [compiled]).trim()).toBe('works')
})

const onNode18 = node18 ? test : test.skip
onNode18.each(['app-node16-mts/app.mjs', 'app-node16-cts/app.cjs'])('%s runs on Node 18', (app) => {
  expect(run(node18 as string, [app]).trim()).toBe('works')
})

onNode18('its command runs on Node 18', () => {
  const command = join(project, 'node_modules', '@kyc', 'client', 'dist', 'esm', 'cli', 'main.js')
  expect(run(node18 as string, [command, '--help'])).toContain('verify-receipt')
})

test('its command runs from the path where npm installs it', () => {
  const shown = run(join(project, 'node_modules', '.bin', 'kyc'), ['--help'])
  expect(shown).toContain('verify-receipt')
})

test('is smaller than 15 KB compressed, and needs no Node module', async () => {
  const entry = join(project, 'node_modules', '@kyc', 'client', 'dist', 'esm', 'index.js')
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: [entry], bundle: true, minify: true, write: false, metafile: true },
    // As the bundler of an edge runtime would.
    ...{ format: 'esm', platform: 'browser', external: ['node:crypto'] },
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? '').length
  process.stdout.write(`client: ${(bytes / 1024).toFixed(1)} KB compressed\n`)
  expect(bytes).toBeGreaterThan(1024)
  expect(bytes).toBeLessThan(largestBytes)
  const [output] = Object.values(metafile.outputs)
  expect(output?.imports.map(({ path, kind }) => [path, kind])).toEqual([['node:crypto', 'dynamic-import']])
})

test('declares no dependency', () => {
  const manifest = JSON.parse(
    readFileSync(join(project, 'node_modules', '@kyc', 'client', 'package.json'), 'utf8'),
  ) as Record<string, unknown>
  expect(manifest.dependencies).toBeUndefined()
  expect(manifest.peerDependencies).toBeUndefined()
})
