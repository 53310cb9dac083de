// `bench [name …]`: runs the named benchmarks, or all of them, each in a process of its own, and prints one section for each.
// Without names, or with `--report` before them, it also renews their sections of docs/benchmarks.md, each as soon as it is
// measured; sections of benchmarks that do not run stay. One that takes long keeps what it has so far: cut short, it leaves that.
// A benchmark that fails says so in its section and stops nobody.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { mergeSections, readSections, writeReport } from './support/report.ts'

/** `keep` is given the section so far, whenever there is more of it. */
type Bench = { name: string; run: (keep: (section: string) => void) => Promise<string> }

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const reportFile = `${root}docs/benchmarks.md`
/** Shared helpers stand in folders; every file here is a benchmark. */
const available = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3))

const say = (text: string) => process.stdout.write(`${text}\n`)

async function runHere(bench: string): Promise<void> {
  const { run } = (await import(`./${bench}.ts`)) as Bench
  process.send?.({ section: await run((section) => process.send?.({ section })) })
  process.disconnect?.()
}

/** The section of a benchmark, run by this script in another process: what one leaves in memory disturbs no other. */
async function runApart(bench: string, keep: (section: string) => void): Promise<string> {
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), '--here', bench],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, KYC_BENCH_REPORT: report ? '1' : '0' },
    },
  )
  // A benchmark that is told to end may still say what it has.
  const end = () => child.kill('SIGTERM')
  process.on('SIGTERM', end)
  let text = ''
  const took = () => `_${Math.round((performance.now() - began) / 1000)} s, ${setting()}_`
  child.on('message', ({ section }: { section: string }) => {
    text = section.trim()
    keep(`${text}\n\n_Under way._`)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  process.off('SIGTERM', end)
  if (code === 0) return `${text}\n\n${took()}`
  const cut = `Did not finish (exit code ${code ?? 'none'}).`
  return text === '' ? `## ${bench}\n\n${cut}\n\n${took()}` : `${text}\n\n${cut}\n\n${took()}`
}

/** When and on what a section was measured. */
function setting(): string {
  const memory = Math.round(totalmem() / 2 ** 30)
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${memory} GiB, ${process.platform} ${process.arch}`
  return `${new Date().toISOString().slice(0, 10)}, ${machine}; ${versions()}`
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

/** Puts a section into the report as it is at this moment: two runs side by side do not undo each other. */
function renew(bench: string, text: string): void {
  const before = existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : ''
  writeFileSync(reportFile, writeReport(mergeSections(readSections(before), [{ bench, text }])))
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
  let ending = false
  process.on('SIGTERM', () => {
    ending = true
  })
  for (const bench of chosen) {
    if (ending) break
    const section = await runApart(bench, (text) => {
      if (report) renew(bench, text)
    })
    say(`${section}\n`)
    if (section.includes('\nDid not finish')) process.exitCode = 1
    if (report) renew(bench, section)
  }
}
