import type { EntityType, NameQuality } from '../../domain/entity.ts'
import type { EntityBuilder } from '../entity-builder.ts'
import { clean, joinCleaned } from '../text/clean.ts'
import { countryCode } from '../text/country.ts'
import { splitMarkedItems } from '../text/items.ts'

export const ukSourceUrl = 'https://www.gov.uk/government/publications/the-uk-sanctions-list'

export function ukEntityType(text: string | null | undefined): EntityType {
  switch (clean(text)?.toLowerCase()) {
    case 'individual':
      return 'person'
    case 'ship':
      return 'vessel'
    default:
      return 'organization'
  }
}

/**
 * A variation is another spelling of the primary name, an alias is another name. Both become `alias`, because an entity
 * has one primary name.
 */
export function ukNameQuality(
  type: string | null | undefined,
  strength: string | null | undefined,
): NameQuality {
  if (/low/i.test(strength ?? '')) return 'weak_alias'
  const kind = clean(type)?.toLowerCase()
  return kind === 'primary name' || kind === 'prime alias' ? 'primary' : 'alias'
}

/** Name 1 to Name 6 of the list: 1 to 5 are given names, 6 is the family name or the name of an organisation. */
export function addUkName(
  builder: EntityBuilder,
  names: readonly (string | undefined)[],
  quality: NameQuality,
): void {
  const [first, ...others] = names.slice(0, 5)
  const last = names[5]
  const full = joinCleaned(names, ' ')
  const middle = joinCleaned(others, ' ') ?? ''
  // Six designations have two primary names. The second becomes an alias.
  const finalQuality = quality === 'primary' && builder.hasPrimary() ? 'alias' : quality
  if (builder.type === 'person')
    builder.addName(full, finalQuality, { first: first ?? '', middle, last: last ?? '' })
  else builder.addName(full, finalQuality)
}

/** A field can contain several document numbers, marked (1) and (2). The details field names the issuing country. */
export function addUkDocuments(
  builder: EntityBuilder,
  type: 'passport' | 'national_id',
  numbers: string | undefined,
  details: string | undefined,
): void {
  const descriptions = splitMarkedItems(details)
  splitMarkedItems(numbers).forEach((number, i) => {
    const words = descriptions[i] ?? descriptions[0] ?? ''
    builder.addIdentifier(
      type,
      number,
      countryCode(words.match(/^[\p{L}' -]+?(?= (?:number|passport|national|ident)|[.,(]|$)/u)?.[0]),
    )
  })
}
