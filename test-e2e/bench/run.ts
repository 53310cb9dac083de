// `bench [name …]`: runs the named benchmarks, or all of them, each in a process of its own, and prints one section for each.
// Without names, or with `--report` before them, it also writes docs/benchmarks.md, after each section anew: a run that is
// cut short leaves what it has. A benchmark that fails says so in its section and stops nobody.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

type Bench = { name: string; run: () => Promise<string> }

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
/** Shared helpers stand in folders; every file here is a benchmark. */
const available = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3))

const say = (text: string) => process.stdout.write(`${text}\n`)

async function runHere(bench: string): Promise<void> {
  const { run } = (await import(`./${bench}.ts`)) as Bench
  say(await run())
}

/** The section of a benchmark, run by this script in another process: what one leaves in memory disturbs no other. */
async function runApart(bench: string): Promise<string> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), '--here', bench],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  const text = Buffer.concat(chunks).toString('utf8').trim()
  const took = `${Math.round((performance.now() - began) / 1000)} s`
  if (code !== 0)
    return `## ${bench}\n\nDid not finish (exit code ${code ?? 'none'}, ${took}).\n\n${text}`.trim()
  return `${text}\n\n_${took}_`
}

function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30)
  return `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${memory} GiB, ${process.platform} ${process.arch}`
}

/** What the figures depend on, as the lock file has it. */
function versions(): string {
  const wanted = [
    'express',
    'http-proxy-middleware',
    'pg',
    'amqplib',
    'onnxruntime-node',
    'sharp',
    'got',
    'winston',
  ]
  const lock = readFileSync(`${root}pnpm-lock.yaml`, 'utf8')
  return wanted
    .flatMap((name) => {
      const version = new RegExp(`^  ${name}@(\\d[\\w.-]*):`, 'm').exec(lock)?.[1]
      return version ? [`${name} ${version}`] : []
    })
    .join(', ')
}

const given = process.argv.slice(2)
const [first, ...rest] = given.filter((argument) => argument !== '--report')
const report = first === undefined || given.includes('--report')
const chosen = first === undefined ? available : [first, ...rest]
const unknown = first === '--here' ? [] : chosen.filter((name) => !available.includes(name))

if (first === '--here') {
  await runHere(rest[0] ?? '')
} else if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are: ${available.join(', ')}\n`)
  process.exitCode = 2
} else {
  const head = `${machine()}\n${versions()}`
  say(`${head}\n`)
  const sections: string[] = []
  for (const bench of chosen) {
    const section = await runApart(bench)
    say(`${section}\n`)
    sections.push(section)
    if (section.includes('\nDid not finish')) process.exitCode = 1
    if (report) writeReport(head, sections)
  }
}

function writeReport(head: string, sections: readonly string[]): void {
  const intro = `# Benchmarks\n\nWritten by \`npx --yes pnpm bench\` on ${new Date().toISOString().slice(0, 10)}. Peers run in the same process or beside it, in turn; each section says how.\n`
  writeFileSync(`${root}docs/benchmarks.md`, `${[intro, head, ...sections].join('\n\n')}\n`)
}
