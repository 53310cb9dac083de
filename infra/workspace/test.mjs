// `test.mjs [unit|integration|e2e] [paths] [Jest's options]`: one Jest run over the chosen kinds of test. Suites that
// need PostgreSQL share one server, started here; each creates its own database in it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './packages.mjs'

const kinds = ['unit', 'integration', 'e2e']
const [first, ...rest] = process.argv.slice(2)
const chosen = kinds.includes(first) ? [first] : kinds
const extra = kinds.includes(first) ? rest : process.argv.slice(2)

async function startDatabase() {
  const child = spawn(
    join(root, 'node_modules', '.bin', 'tsx'),
    ['--conditions=source', join(root, 'packages/testing/src/database-server.ts')],
    { stdio: ['pipe', 'pipe', 'inherit'], cwd: root },
  )
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error('the test database did not start')
    }),
  ])
  return {
    url,
    stop: async () => {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

// The end-to-end suites start services as separate processes from the built output.
if (chosen.includes('e2e')) await import('./build.mjs')

const database = chosen.some((kind) => kind !== 'unit') ? await startDatabase() : undefined
const jest = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    // Paths and Jest's options come first, because --selectProjects consumes every argument after it.
    ...extra,
    '--selectProjects',
    ...chosen,
  ],
  {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, ...(database ? { KYC_TEST_DATABASE_URL: database.url } : {}) },
  },
)
const [code] = await once(jest, 'exit')
await database?.stop()
process.exitCode = code ?? 1
