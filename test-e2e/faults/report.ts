import type { Fault } from './faults.ts'
import type { RoundResult } from './rounds.ts'

/** A table of faults: runs, counts, violations. */
export function faultTable(faults: readonly Fault[], results: readonly RoundResult[]): string[] {
  const rows = faults.flatMap((fault) => {
    const runs = results.filter((result) => result.fault === fault.name)
    if (runs.length === 0) return []
    const sum = (of: (run: RoundResult) => number) => runs.reduce((total, run) => total + of(run), 0)
    const settled = runs.map((run) => run.settledMs / 1_000).sort((a, b) => a - b)
    const cells = [
      fault.what,
      runs.length,
      sum((run) => run.sessions),
      sum((run) => run.transitions),
      sum((run) => run.deliveries),
      `${settled[Math.floor(settled.length / 2)]?.toFixed(1)} / ${settled.at(-1)?.toFixed(1)}`,
      sum((run) => run.violations.length),
    ]
    return [`| ${cells.join(' | ')} |`]
  })
  const violations = results.flatMap((run) =>
    run.violations.map((violation) => `- ${run.fault}, run ${run.round}: ${violation}`),
  )
  return [
    '| fault | runs | sessions | transitions | deliveries | settled after, median / worst s | violations |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    ...(violations.length > 0 ? ['', ...violations] : []),
  ]
}
