import { todayOf } from './dates.ts'
import { layoutOf } from './layouts.ts'
import { readLines } from './read-lines.ts'
import type { MrzOptions, MrzResult } from './types.ts'

/**
 * Parses a machine readable zone from its lines in order, or finds it among noisy OCR lines.
 *
 * At most 20 lines of at most 200 characters are looked at. Null when no MRZ of a known layout is found.
 * An MRZ whose check digits fail is returned all the same, with `valid` false.
 */
export function parseMrz(lines: readonly string[], options: MrzOptions = {}): MrzResult | null {
  const today = todayOf(options.today ?? new Date())
  const layout = layoutOf(lines)
  if (layout === null) return null
  return { document: readLines([...lines], layout, today), confidence: 1, unproven: [] }
}
