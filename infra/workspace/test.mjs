// `test.mjs [unit|integration|e2e] [jest arguments]`: one Jest run over the chosen kinds of test.
import { join } from 'node:path'
import { root } from './packages.mjs'
import { run } from './run.mjs'

const kinds = ['unit', 'integration', 'e2e']
const [first, ...rest] = process.argv.slice(2)
const chosen = kinds.includes(first) ? [first] : kinds
const extra = kinds.includes(first) ? rest : process.argv.slice(2)

run('node', [
  '--experimental-vm-modules',
  '--conditions=source',
  '--disable-warning=ExperimentalWarning',
  join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
  '--selectProjects',
  ...chosen,
  ...extra,
])
