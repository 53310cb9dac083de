import { editDistance } from './edit-distance.ts'
import { type LabelField, labelTexts } from './label-texts.ts'

/** One bit per letter. An edit changes at most two bits, so words that differ in more bits need no edit distance. */
const lettersOf = (packed: string) => {
  let bits = 0
  for (let i = 0; i < packed.length; i++) bits |= 1 << ((packed.charCodeAt(i) - 97) & 31)
  return bits
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits >>> 0; rest !== 0; rest &= rest - 1) count++
  return count
}

const entries = Object.entries(labelTexts).flatMap(([field, list]) =>
  list.map((text) => {
    const packed = text.replaceAll(' ', '')
    return { field: field as LabelField, packed, letters: lettersOf(packed) }
  }),
)
const longest = Math.max(...entries.map((entry) => entry.packed.length))

/** Lower-case letters and digits, words separated by one space, no diacritics. */
export const plainText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

export interface FoundLabel {
  readonly field: LabelField
  /** The text after the label, when one line contains both. */
  readonly rest: string | null
}

/** Fields of ISO/IEC 18013-1 driving licences, which have numbers as labels. */
const licenceNumbers: Readonly<Record<string, LabelField>> = {
  '1': 'surname',
  '2': 'given_names',
  '3': 'birth_date',
  '4a': 'issue_date',
  '4b': 'expiry_date',
  '4c': 'other',
  '4d': 'other',
  '5': 'document_number',
}

/**
 * The label that a printed line is or begins with, or null. Small print is often misread, so a quarter of a label's
 * letters may be wrong. A label in several languages (`Surname / Nom`) is matched by its most similar part.
 */
export function findLabel(text: string): FoundLabel | null {
  const colon = text.match(/^([^:]{2,40}):\s*(.*)$/)
  if (colon) {
    const field = fieldOf(colon[1]!)
    if (field) return { field, rest: colon[2]!.trim() || null }
  }
  const numbered = text.match(/^(4[abcd]|[1235])[.,:]\s*(\S.*)$/i)
  if (numbered) {
    const field = licenceNumbers[numbered[1]!.toLowerCase()]
    if (field) return { field, rest: numbered[2]!.trim() }
  }
  const field = fieldOf(text)
  return field ? { field, rest: null } : begunByLabel(text)
}

/**
 * A line that begins with a label. The rest is the same label in another language when it is not in capitals or is a
 * label itself, otherwise the value.
 */
function begunByLabel(text: string): FoundLabel | null {
  const words = text.split(/\s+/)
  // Try the shortest first, because a longer label would consume the beginning of the value.
  for (let count = 1; count <= Math.min(4, words.length - 1); count++) {
    const field = fieldOf(words.slice(0, count).join(' '), false)
    if (!field) continue
    const rest = words.slice(count).join(' ')
    // A single word in capitals is not a label, because NAME may be a name.
    if (count === 1 && words[0] === words[0]!.toUpperCase()) continue
    const isValue = /[A-Z0-9]{2}/.test(rest) && rest === rest.toUpperCase() && fieldOf(rest) === null
    if (isValue || count >= 2) return { field, rest: isValue ? rest : null }
  }
  return null
}

/** `whole`: the text is all that was read of its line, so the end of a label may be missing. */
function fieldOf(text: string, whole = true): LabelField | null {
  let best: { field: LabelField; error: number; length: number } | null = null
  for (const part of [text, ...text.split(/[/|,;·•()]/)]) {
    const packed = plainText(part).replaceAll(' ', '')
    if (packed.length < 3 || packed.length > longest * 1.3) continue
    const letters = lettersOf(packed)
    for (const entry of entries) {
      // Short labels must match exactly, because `nom` is one letter from `nome`.
      const limit = entry.packed.length < 5 ? 0 : Math.floor(entry.packed.length / 4)
      // Glare can hide the end of a label.
      const begun = whole && packed.length >= 5 && entry.packed.startsWith(packed)
      if (!begun && bitCount(letters ^ entry.letters) > 2 * limit) continue
      const distance = begun
        ? Math.min(1, entry.packed.length - packed.length)
        : editDistance(packed, entry.packed, limit)
      if (distance > limit) continue
      const error = distance / entry.packed.length
      if (!best || error < best.error || (error === best.error && entry.packed.length > best.length)) {
        best = { field: entry.field, error, length: entry.packed.length }
      }
    }
  }
  return best?.field ?? null
}
