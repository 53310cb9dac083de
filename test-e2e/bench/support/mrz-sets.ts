import { readFileSync } from 'node:fs'

export interface CleanRow {
  id: string
  lines: string[]
  expect: Record<string, unknown>
  tags: string[]
}

export interface NoisyRow {
  id: string
  lines: string[]
  expect_lines: string[]
  format: string
  tags: string[]
}

export function readRows<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): T => JSON.parse(line))
}

/** Maps the layout names of the truth sets to those of the API. */
export const formats: Readonly<Record<string, string>> = {
  TD1: 'td1',
  TD2: 'td2',
  TD3: 'td3',
  'MRV-A': 'mrv_a',
  'MRV-B': 'mrv_b',
  FRENCH_NATIONAL_ID: 'fra_id',
}

/** Whether a check digit covers a position; names, codes, states, sex and the optional data of visas have none. */
export function isCovered(format: string, line: number, position: number): boolean {
  if (format === 'FRENCH_NATIONAL_ID') return true
  if (format === 'TD1') {
    if (line === 0) return position >= 5
    return line === 1 && position !== 7 && (position < 15 || position >= 18)
  }
  if (line === 0) return false
  if (position >= 28 && format.startsWith('MRV')) return false
  return position !== 20 && (position < 10 || position >= 13)
}

/** A generator of numbers below `limit`, deterministic across runs. */
export function seededNumbers(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
