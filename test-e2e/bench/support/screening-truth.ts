import { readFileSync } from 'node:fs'
import type { Match } from '../../../services/sanctions-screening/src/domain/matching/index.ts'

/** A row of the truth set: a query against the lists, or a labelled pair. */
export interface TruthRow {
  query: string
  /** `ofac:<number>` or `un:<reference>`; for a pair `['candidate']` or empty. */
  expect: string[]
  kind: string
  subkind?: string
  candidate?: string
  schema?: string
}

export function readTruth(path: string): TruthRow[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TruthRow)
}

export const truthId = (match: Match): string =>
  `${match.list === 'un_sc' ? 'un' : 'ofac'}:${match.entity_id}`

export interface Count {
  hits: number
  of: number
}

export interface ListFigures {
  recall: Count
  falseHits: Count
  byKind: Map<string, Count>
}

/** A positive counts if the result contains an expected entity; a negative counts if the result contains any. */
export function countAnswers(rows: readonly TruthRow[], answer: (query: string) => Match[]): ListFigures {
  const figures: ListFigures = { recall: none(), falseHits: none(), byKind: new Map() }
  for (const row of rows) {
    const found = answer(row.query)
    if (row.expect.length === 0) {
      add(figures.falseHits, found.length > 0)
      continue
    }
    const hit = found.some((match) => row.expect.includes(truthId(match)))
    add(figures.recall, hit)
    const kind = row.subkind ?? row.kind
    const count = figures.byKind.get(kind) ?? none()
    add(count, hit)
    figures.byKind.set(kind, count)
  }
  return figures
}

const none = (): Count => ({ hits: 0, of: 0 })

function add(count: Count, hit: boolean): void {
  count.of += 1
  if (hit) count.hits += 1
}

export const share = ({ hits, of }: Count): string => (of === 0 ? '–' : (hits / of).toFixed(3))

/** Harmonic mean of precision and recall at a threshold. */
export function f1(scored: readonly { score: number; same: boolean }[], threshold: number): number {
  const right = scored.filter(({ score, same }) => same && score >= threshold).length
  const wrong = scored.filter(({ score, same }) => !same && score >= threshold).length
  const missed = scored.filter(({ score, same }) => same && score < threshold).length
  return (2 * right) / (2 * right + wrong + missed)
}
