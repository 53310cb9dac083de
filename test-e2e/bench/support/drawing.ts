import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))

/** Stores a picture next to the report if one is written; returns its path relative to `docs/benchmarks.md`. */
export function drawing(name: string, svg: string): string {
  if (process.env.KYC_BENCH_REPORT === '1') {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}${name}.svg`, svg)
  }
  return `pictures/${name}.svg`
}
