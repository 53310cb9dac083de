import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))

/** Keeps a picture beside the report, when one is written; returns its address from `docs/benchmarks.md`. */
export function drawing(name: string, svg: string): string {
  if (process.env.KYC_BENCH_REPORT === '1') {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}${name}.svg`, svg)
  }
  return `pictures/${name}.svg`
}
