import type { EntityType, NameParts } from '../../domain/entity.ts'
import { clean } from '../text/clean.ts'

/** OFAC writes persons as `LAST, First Middle`. Other names are unchanged. */
export function ofacName(text: string, type: EntityType): { full: string; parts?: NameParts } {
  const value = clean(text) ?? ''
  const comma = value.indexOf(', ')
  if (type !== 'person' || comma < 1) return { full: value }
  return fromParts(value.slice(0, comma), value.slice(comma + 2))
}

/** Builds a name from separate family and given names. Organisations have only the former. */
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

// Programme tags that occur only on the consolidated (non-SDN) list or mark its directives.
const consolidatedPrograms = /^(?:NS-|CMIC-|UKRAINE-EO13662|561|CAPTA|CAATSA|FSE-|HIFPAA|MBS|.*\bPLC\b)/i

/**
 * Whether most of the given entries have programmes of the consolidated list. Both lists have the same schema and the
 * file does not name its list.
 */
export function looksConsolidated(programsOfEntries: readonly (readonly string[])[]): boolean {
  const marked = programsOfEntries.filter((programs) =>
    programs.some((program) => consolidatedPrograms.test(program)),
  )
  return marked.length * 2 > programsOfEntries.length
}
