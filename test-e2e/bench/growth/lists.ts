import { sharedDir } from '@kyc/testing'
import { buildIndex, screen } from '../../../services/sanctions-screening/src/domain/matching/index.ts'
import { multiplyLists, truthLists } from '../support/screening-lists.ts'
import { readTruth } from '../support/screening-truth.ts'
import { percentile } from '../support/session-load.ts'

export type ListGrowth = { times: number; names: number; buildSeconds: number; p50: number; p95: number }

/** Screens the truth set's queries against the lists once, twice, … over; null if the lists are not available. */
export async function withLists(multiples: readonly number[]): Promise<ListGrowth[] | null> {
  const truth = sharedDir('data', 'sanctions', 'truth.jsonl')
  const folder = sharedDir('data', 'sanctions', 'lists')
  if (truth === null || folder === null) return null
  const queries = readTruth(truth).filter(({ kind }) => kind !== 'pair')
  const published = await truthLists(folder)
  return multiples.map((times) => {
    const lists = multiplyLists(published, times)
    const began = performance.now()
    const index = buildIndex(lists)
    const buildSeconds = (performance.now() - began) / 1000
    const ask = (full_name: string): number => {
      const start = performance.now()
      screen(index, { full_name }, { floor: 0.8, limit: 10 })
      return performance.now() - start
    }
    for (const { query } of queries) ask(query)
    const taken = queries.map(({ query }) => ask(query)).sort((a, b) => a - b)
    return {
      times,
      names: index.person.nameCount + index.object.nameCount,
      buildSeconds,
      p50: percentile(taken, 0.5),
      p95: percentile(taken, 0.95),
    }
  })
}
