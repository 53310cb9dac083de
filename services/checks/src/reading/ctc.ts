import type { LineProbabilities } from './text-recognizer.ts'

export interface DecodedText {
  readonly text: string
  /** Mean probability of the decoded characters, 0 to 1; 0 for an empty line. */
  readonly confidence: number
}

/** Best-path decoding of connectionist temporal classification (Graves et al., 2006, section 3.2). */
export function decodeGreedy(line: LineProbabilities, characters: readonly string[]): DecodedText {
  const { data, steps, classes } = line
  let text = ''
  let total = 0
  let kept = 0
  let previous = 0
  for (let t = 0; t < steps; t++) {
    let best = 0
    let probability = -1
    for (let c = 0, i = t * classes; c < classes; c++, i++) {
      if (data[i]! > probability) {
        probability = data[i]!
        best = c
      }
    }
    if (best !== 0 && best !== previous) {
      text += characters[best] ?? ''
      total += probability
      kept++
    }
    previous = best
  }
  return { text, confidence: kept === 0 ? 0 : total / kept }
}
