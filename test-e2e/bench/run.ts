// `bench [name …]`: runs the named benchmarks, or all of them, each in a separate process, and prints one section for
// each. Without names, or with `--report` before them, it also replaces their sections of docs/benchmarks.md as soon as
// each is measured; sections of benchmarks that do not run stay. A long benchmark saves partial results, so an
// interrupted one leaves those. A failed benchmark reports the failure in its section and does not stop the others.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { mergeSections, readSections, writeReport } from './support/report.ts'

/** `keep` receives the partial section whenever it grows. */
type Bench = { name: string; run: (keep: (section: string) => void) => Promise<string> }

const folder = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const reportFile = `${root}docs/benchmarks.md`
/** Shared helpers are in folders; every file here is a benchmark. */
const available = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3))

const say = (text: string) => process.stdout.write(`${text}\n`)

async function runHere(bench: string): Promise<void> {
  const { run } = (await import(`./${bench}.ts`)) as Bench
  process.send?.({ section: await run((section) => process.send?.({ section })) })
  process.disconnect?.()
}

/**
 * Returns the section of a benchmark, which this script runs in another process so that its memory use does not
 * affect the others.
 */
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
  // A terminated benchmark may still print its results.
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

/** When and on which machine a section was measured. */
function setting(): string {
  const memory = Math.round(totalmem() / 2 ** 30)
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${memory} GiB, ${process.platform} ${process.arch}`
  return `${new Date().toISOString().slice(0, 10)}, ${machine}; ${versions()}`
}

/** The versions that the figures depend on, from the lock file. */
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

/**
 * Inserts a section into the current content of the report, so that two parallel runs do not overwrite each other's.
 */
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
