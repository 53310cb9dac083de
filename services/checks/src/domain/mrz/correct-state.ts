import { type Candidate, candidates } from './confusions.ts'
import { isListedStateField } from './states.ts'

const filler = 60

/** Fillers read as E, S or X are too rare to change a code that may be valid. */
const isLikelyInState = ({ code, cost }: Candidate): boolean => code !== filler || cost < 4

/** The only listed state that fits the characters under known confusions; unchanged when none or several fit. */
export function correctState(read: string): string {
  if (isListedStateField(read)) return read
  let readings = [{ text: '', cost: 0 }]
  for (let position = 0; position < 3; position++) {
    readings = readings.flatMap(({ text, cost }) =>
      candidates.letter[read.charCodeAt(position)]!.filter(isLikelyInState).map((candidate) => ({
        text: text + String.fromCharCode(candidate.code),
        cost: cost + candidate.cost,
      })),
    )
  }
  const listed = readings.filter(({ text }) => isListedStateField(text)).sort((a, b) => a.cost - b.cost)
  if (listed.length > 0 && (listed.length === 1 || listed[1]!.cost - listed[0]!.cost > 2))
    return listed[0]!.text
  // When no listed state fits, apply the character class only: a state code has no digits.
  return readings.length === 0 ? read : readings.sort((a, b) => a.cost - b.cost)[0]!.text
}
