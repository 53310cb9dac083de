// `bench [name …]`: runs the named benchmarks (all of them without a name) and prints one section for each.
import { readdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

type Bench = { name: string; run: () => Promise<string> }

const folder = fileURLToPath(new URL('.', import.meta.url))
const available = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3))
const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !available.includes(name))

if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are: ${available.join(', ')}\n`)
  process.exitCode = 2
} else {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${gigabytes} GiB\n\n`,
  )
  for (const name of chosen.length > 0 ? chosen : available) {
    const bench = (await import(`./${name}.ts`)) as Partial<Bench>
    // Shared helpers of benchmarks stand in the same folder and have no `run`.
    if (!bench.run) continue
    process.stdout.write(`${await bench.run()}\n\n`)
  }
}
