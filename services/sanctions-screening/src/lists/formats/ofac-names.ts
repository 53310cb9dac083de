import type { EntityType, NameParts } from '../../domain/entity.ts'
import { clean } from '../text/clean.ts'

/** OFAC prints a person as `LAST, First Middle`; everything else as it is. */
export function ofacName(text: string, type: EntityType): { full: string; parts?: NameParts } {
  const value = clean(text) ?? ''
  const comma = value.indexOf(', ')
  if (type !== 'person' || comma < 1) return { full: value }
  return fromParts(value.slice(0, comma), value.slice(comma + 2))
}

/** From the separated family and given names; organisations have only the former. */
export function fromParts(
  last: string | undefined,
  first: string | undefined,
): { full: string; parts?: NameParts } {
  const family = clean(last)
  const given = clean(first)
  if (family === null || given === null) return { full: family ?? given ?? '' }
  return { full: `${given} ${family}`, parts: { first: given, last: family } }
}

export function ofacEntityType(text: string | undefined): EntityType {
  switch (text?.trim().toLowerCase()) {
    case 'individual':
      return 'person'
    case 'vessel':
      return 'vessel'
    case 'aircraft':
      return 'aircraft'
    default:
      return 'organization'
  }
}

export function ofacSourceUrl(uid: string): string {
  return `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${encodeURIComponent(uid)}`
}

// Programme tags that stand only on the consolidated (non-SDN) list, or that mark its directives.
const consolidatedPrograms = /^(?:NS-|CMIC-|UKRAINE-EO13662|561|CAPTA|CAATSA|FSE-|HIFPAA|MBS|.*\bPLC\b)/i

/**
 * Whether the first entries' programmes are those of the consolidated list. Both lists share one schema and nothing in
 * the file names the list, so the majority decides.
 */
export function looksConsolidated(programsOfEntries: readonly (readonly string[])[]): boolean {
  const marked = programsOfEntries.filter((programs) =>
    programs.some((program) => consolidatedPrograms.test(program)),
  )
  return marked.length * 2 > programsOfEntries.length
}
