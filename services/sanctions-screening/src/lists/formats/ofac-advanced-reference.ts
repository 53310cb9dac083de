import type { EntityType } from '../../domain/entity.ts'
import { clean, joinCleaned } from '../text/clean.ts'
import { countryCode } from '../text/country.ts'
import { descend, textAt, type XmlElement } from '../xml.ts'

/** The value sets at the beginning of the file. Other elements refer to their values by id. */
export const referenceNames = [
  'Country',
  'FeatureType',
  'IDRegDocType',
  'NamePartType',
  'PartySubType',
  'PartyType',
  'List',
  'SanctionsType',
] as const
type ReferenceName = (typeof referenceNames)[number]

type Value = {
  text: string
  attributes: Record<string, string>
}

/** The reference values by set and id. */
export class ReferenceValues {
  readonly #sets = new Map<string, Map<string, Value>>()

  add(element: XmlElement): void {
    const id = element.attributes.ID
    if (id === undefined) return
    const values = this.#sets.get(element.name) ?? new Map<string, Value>()
    values.set(id, { text: clean(element.text) ?? '', attributes: element.attributes })
    this.#sets.set(element.name, values)
  }

  /** The text of a value in lower case; empty for an unknown id. */
  word(set: ReferenceName, id: string | undefined): string {
    return (
      this.#sets
        .get(set)
        ?.get(id ?? '')
        ?.text.toLowerCase() ?? ''
    )
  }

  country(id: string | undefined): string | null {
    return countryCode(this.#sets.get('Country')?.get(id ?? '')?.text)
  }

  /** Subtypes 3 and 4 are both named `Unknown`; the party type distinguishes an individual from an entity. */
  entityType(subTypeId: string | undefined): EntityType {
    const subType = this.#sets.get('PartySubType')?.get(subTypeId ?? '')
    const word = subType?.text.toLowerCase()
    if (word === 'vessel' || word === 'aircraft') return word
    return this.word('PartyType', subType?.attributes.PartyTypeID) === 'individual'
      ? 'person'
      : 'organization'
  }
}

export type AdvancedPlace = {
  text: string | null
  country: string | null
}

/** Parses a `Location`: its parts in document order, then the country name. */
export function readLocation(location: XmlElement, values: ReferenceValues): AdvancedPlace {
  const countryId = descend(location, 'LocationCountry')[0]?.attributes.CountryID
  const lines = descend(location, 'LocationPart').map((part) => textAt(part, 'LocationPartValue', 'Value'))
  const name = values.word('Country', countryId)
  return {
    text: joinCleaned([...lines, name === 'undetermined' ? null : capitalised(name)], ', '),
    country: values.country(countryId),
  }
}

function capitalised(text: string): string {
  return text.replace(/(?<![\p{L}'])\p{L}/gu, (letter) => letter.toUpperCase())
}
