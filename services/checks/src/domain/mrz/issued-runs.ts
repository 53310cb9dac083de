import { characterValues } from './check-digit.ts'
import { bound, kept, type Position, type Reading, readCheckedRun, readRun } from './reading-table.ts'

/** Cost of a number that violates its issuer's own rule, as on specimens and hardly any real document. */
const costOfBrokenRule = 3
/** Cost of a number that does not match its issuer's known format. */
const costOfOtherMake = 5
/** Cost of satisfying a one-digit rule by chance: ln 10. */
const costOfChance = 2.3

/** The positions of a field and of its check digit, null when it has none. */
export interface Field {
  positions: readonly Position[]
  check: Position | null
}

const free = Number.POSITIVE_INFINITY

interface Prefix {
  text: string
  cost: number
  own: number
  composite: number
}

/** Every reading that costs at most `bound` more than the cheapest. */
function allReadings(positions: readonly Position[]): Prefix[] {
  const leasts = positions.map(({ candidates }) => Math.min(...candidates.map(({ cost }) => cost)))
  let prefixes: Prefix[] = [{ text: '', cost: 0, own: 0, composite: 0 }]
  let least = 0
  for (const [index, { candidates, own, composite }] of positions.entries()) {
    least += leasts[index]!
    const next: Prefix[] = []
    for (const prefix of prefixes) {
      for (const { code, cost } of candidates) {
        if (prefix.cost + cost > least + bound) continue
        const value = characterValues[code]!
        next.push({
          text: prefix.text + String.fromCharCode(code),
          cost: prefix.cost + cost,
          own: (prefix.own + own * value) % 10,
          composite: (prefix.composite + composite * value) % 10,
        })
      }
    }
    prefixes = next
  }
  return prefixes
}

/** The cheapest reading of each residue. */
function cheapest(readings: Reading[]): Reading[] {
  const counts = new Uint8Array(10)
  return readings.sort((a, b) => a.cost - b.cost).filter((reading) => counts[reading.composite]!++ < kept)
}

/** The cheapest readings that satisfy a rule of the issuer, which is applied to the text without the check digit. */
function readProvenRun({ positions, check }: Field, holds: (text: string) => boolean): Reading[] {
  const readings: Reading[] = []
  for (const { text, cost, own, composite } of allReadings(positions)) {
    if (!holds(text)) continue
    if (check === null) {
      readings.push({ text, cost, composite })
      continue
    }
    for (const { code, cost: ofCheck } of check.candidates) {
      const value = characterValues[code]!
      if (value !== own) continue
      readings.push({
        text: text + String.fromCharCode(code),
        cost: cost + ofCheck,
        composite: (composite + check.composite * value) % 10,
      })
    }
  }
  return cheapest(readings)
}

/** The cheapest readings of a field, for each residue it may add to the composite digit. */
export const readField = ({ positions, check }: Field): Reading[] =>
  check === null ? readRun(positions) : readCheckedRun(positions, check)

/**
 * The readings of a field whose issuer uses known formats: in such a format and confirmed by the issuer's own rule, if
 * any; the same without that confirmation; and in any other format. Each class has its additional cost.
 */
export function readIssuedField(
  issued: readonly Field[],
  any: Field,
  holds: ((text: string) => boolean) | null,
): Reading[] {
  const more = holds === null ? 0 : costOfChance
  const makes: [readings: readonly Reading[], cost: number][] = [[readField(any), costOfOtherMake + more]]
  for (const field of issued) {
    if (holds !== null) makes.push([readProvenRun(field, holds), 0])
    makes.push([readField(field), holds === null ? 0 : costOfBrokenRule + costOfChance])
  }
  const readings = new Map<string, Reading>()
  for (const [made, cost] of makes) {
    for (const reading of made) {
      const all = reading.cost + cost
      if ((readings.get(reading.text)?.cost ?? free) > all)
        readings.set(reading.text, { ...reading, cost: all })
    }
  }
  return cheapest([...readings.values()])
}
