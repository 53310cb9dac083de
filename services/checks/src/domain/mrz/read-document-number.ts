import { characterValues, weightedSum } from './check-digit.ts'
import type { Layout } from './layouts.ts'

export interface DocumentNumber {
  /** Without fillers. */
  number: string
  holds: boolean
  /** Where the optional data begin: after the field's start when the number overflows into it. */
  optionalStart: number
}

const withoutFillers = (text: string): string => (text.indexOf('<') < 0 ? text : text.replaceAll('<', ''))

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/**
 * The document number and whether its check digit is valid.
 *
 * A number of more than nine characters has a filler in the place of the check digit and continues, with its check
 * digit last, at the start of the optional data (9303-5 and 9303-6, note j). Issuers differ in whether that filler is
 * part of the sum, so both readings are accepted.
 */
export function readDocumentNumber(lines: readonly string[], layout: Layout): DocumentNumber {
  const field = layout.fields.document_number!
  const optional = layout.fields.optional_data!
  const line = lines[field.line]!
  const checkPosition = layout.checks.document_number!
  const checkCode = line.charCodeAt(checkPosition)
  const principal = line.slice(field.start, field.end)

  if (layout.longNumbers && checkCode === 60 && line.charCodeAt(optional.start) !== 60) {
    let end = optional.start
    while (end < optional.end && line.charCodeAt(end) !== 60) end++
    const overflow = line.slice(optional.start, end - 1)
    const expected = line.charCodeAt(end - 1)
    if (isDigit(expected)) {
      const head = weightedSum(principal, 0, principal.length)
      const without = weightedSum(overflow, 0, overflow.length, principal.length % 3)
      const within = weightedSum(overflow, 0, overflow.length, (principal.length + 1) % 3)
      const digit = expected - 48
      const holds =
        head >= 0 && without >= 0 && ((head + without) % 10 === digit || (head + within) % 10 === digit)
      return { number: withoutFillers(principal + overflow), holds, optionalStart: end }
    }
  }

  const sum = weightedSum(line, field.start, field.end)
  const blank = withoutFillers(principal).length === 0
  const holds =
    sum >= 0 && (isDigit(checkCode) ? characterValues[checkCode] === sum : checkCode === 60 && blank)
  return { number: withoutFillers(principal), holds, optionalStart: optional.start }
}
