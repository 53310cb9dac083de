import { splitNames } from '../mrz/split-names.ts'
import { isSameMrzName, toMrzName } from '../mrz/to-mrz-name.ts'
import { isCut } from './cross-check.ts'
import type { PrintedLine } from './printed-line.ts'
import type { MrzReading } from './side-reading.ts'
import type { VisualZone } from './visual-zone.ts'

export const isNameField = (field: string) =>
  field === 'name' || field === 'surname' || field === 'given_names'

export interface SettledNames {
  readonly surname: string
  readonly given_names: string
  /** False when two readings of the name remain and the visual zone confirms neither. */
  readonly certain: boolean
}

/**
 * Resolves a name on which the MRZ readers disagree. No check digit covers a name, so the visual zone decides;
 * otherwise the name stays uncertain.
 */
export function settleNames(
  mrz: MrzReading,
  visual: VisualZone,
  lines: readonly PrintedLine[],
): SettledNames {
  const { surname, given_names } = mrz.document
  const doubts = mrz.doubtful.filter((doubt) => isNameField(doubt.field))
  if (doubts.length === 0) return { surname, given_names, certain: true }
  const printedWords = new Set(lines.flatMap((line) => toMrzName(line.text).split('<')))
  const confirmed = (names: { surname: string; given_names: string }) => {
    const words = `${names.surname} ${names.given_names}`.split(' ').filter((word) => word !== '')
    if (words.length > 0 && words.every((word) => word.length > 2 && printedWords.has(word))) return true
    return (['surname', 'given_names'] as const).every((field) => {
      const printed = visual[field]?.value
      if (printed === undefined) return names[field] === ''
      return isSameMrzName(printed, names[field], isCut(mrz.document, field))
    })
  }
  if (confirmed({ surname, given_names })) return { surname, given_names, certain: true }
  const other = alternative(mrz)
  if (other && confirmed(other)) return { ...other, certain: true }
  return { surname, given_names, certain: false }

  function alternative({ document }: MrzReading) {
    if (document.format === 'fra_id') return null
    const line = doubts[0]!.line
    const characters = [...document.lines[line]!]
    for (const { position, second } of doubts) if (second !== null) characters[position] = second
    const text = characters.join('')
    return /^[A-Z<]+$/.test(text) ? splitNames(text.slice(document.format === 'td1' ? 0 : 5)) : null
  }
}
