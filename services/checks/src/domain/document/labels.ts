import { editDistance } from './edit-distance.ts'
import { type LabelField, labelTexts } from './label-texts.ts'

const entries = Object.entries(labelTexts).flatMap(([field, list]) =>
  list.map((text) => ({ field: field as LabelField, text, packed: text.replaceAll(' ', '') })),
)

/** Lower case letters and digits, words separated by one space, no diacritics. */
export const plainText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

export interface FoundLabel {
  readonly field: LabelField
  /** What follows the label on the same line, when the line holds both. */
  readonly rest: string | null
}

/** Fields of ISO/IEC 18013-1 driving licences, which are numbered and not named. */
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
 * The label that a line of print is or begins with, or null. Small print is misread, so a quarter of a label's
 * letters may be wrong; a label in several languages (`Surname / Nom`) counts by its likeliest part.
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
  return field ? { field, rest: null } : null
}

function fieldOf(text: string): LabelField | null {
  let best: { field: LabelField; error: number; length: number } | null = null
  for (const part of [text, ...text.split(/[/|,;·•()]/)]) {
    const packed = plainText(part).replaceAll(' ', '')
    if (packed.length < 3) continue
    for (const entry of entries) {
      // Short labels leave no room for errors: `nom` is one letter from `nome`.
      const limit = entry.packed.length < 5 ? 0 : Math.floor(entry.packed.length / 4)
      const distance = Math.min(
        editDistance(packed, entry.packed, limit),
        // Glare takes the end of a label.
        packed.length >= 5 && entry.packed.startsWith(packed) ? 1 : limit + 1,
      )
      if (distance > limit) continue
      const error = distance / entry.packed.length
      if (!best || error < best.error || (error === best.error && entry.packed.length > best.length)) {
        best = { field: entry.field, error, length: entry.packed.length }
      }
    }
  }
  return best?.field ?? null
}
