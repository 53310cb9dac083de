// A variable that no code reads, or that .env.example does not explain, is a mistake that no startup check would
// reveal.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/packages.mjs'

const read = (path) => readFileSync(join(root, path), 'utf8')

/** Read by libraries directly from the environment. */
const others = new Set(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])

function readBySomebody() {
  const files = [
    'packages/runtime/src/config.ts',
    ...readdirSync(join(root, 'services')).map((name) => `services/${name}/src/config.ts`),
  ]
  const names = new Set(others)
  for (const file of files) {
    for (const [, name] of read(file).matchAll(/^\s*([A-Z][A-Z0-9_]+):/gm)) names.add(name)
  }
  return names
}

export function checkSettings() {
  const problems = []
  const known = readBySomebody()
  const compose = read('docker-compose.yml')
  const explained = new Set([...read('.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name))
  const wanted = new Set([...compose.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name))
  for (const name of wanted) if (!explained.has(name)) problems.push(`.env.example does not explain ${name}`)
  for (const name of explained)
    if (!wanted.has(name)) problems.push(`docker-compose.yml does not use ${name}`)

  const kubernetes = readdirSync(join(root, 'k8s'), { recursive: true })
    .filter((file) => /(deployment|settings)\.yaml$/.test(file))
    .map((file) => [
      `k8s/${file}`,
      [...read(`k8s/${file}`).matchAll(/(?:- name: |^ {2})([A-Z][A-Z0-9_]+)(?::|$)/gm)],
    ])
  // The parts of other projects (storage, PostgreSQL, RabbitMQ) come after this service; they read settings of their own.
  const end = compose.indexOf('\n  storage-setup:\n')
  if (end === -1) throw new Error('docker-compose.yml: no service storage-setup')
  const ours = compose.slice(0, end)
  const used = [['docker-compose.yml', [...ours.matchAll(/^ {2,6}([A-Z][A-Z0-9_]+):/gm)]], ...kubernetes]
  for (const [file, matches] of used) {
    for (const [, name] of matches) if (!known.has(name)) problems.push(`${file}: no service reads ${name}`)
  }
  return problems
}
