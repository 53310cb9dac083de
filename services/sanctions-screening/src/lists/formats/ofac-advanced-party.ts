import type { ListedBirthDate, ListId, NameParts, NameQuality } from '../../domain/entity.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { birthDate, birthRange } from '../text/birth-date.ts'
import { clean, joinCleaned } from '../text/clean.ts'
import { countryCode } from '../text/country.ts'
import { child, descend, textAt, type XmlElement } from '../xml.ts'
import { identifierType } from './identifier-type.ts'
import type { AdvancedPlace, ReferenceValues } from './ofac-advanced-reference.ts'
import { ofacSourceUrl } from './ofac-names.ts'

/** Data from other elements that parties refer to. */
export type AdvancedContext = {
  values: ReferenceValues
  locations: ReadonlyMap<string, AdvancedPlace>
  /** Documents by identity id. */
  documents: ReadonlyMap<string, readonly AdvancedDocument[]>
}

export type AdvancedDocument = {
  kind: string
  number: string
  country: string | null
}

/** Parses one `DistinctParty`. Its id is `FixedRef`, OFAC's number. */
export function readParty(
  party: XmlElement,
  list: ListId,
  context: AdvancedContext,
): { profileId: string; builder: EntityBuilder } | null {
  const uid = party.attributes.FixedRef
  const profile = child(party, 'Profile')
  const profileId = profile?.attributes.ID
  if (uid === undefined || profile === undefined || profileId === undefined) return null
  const builder = new EntityBuilder(list, uid, context.values.entityType(profile.attributes.PartySubTypeID))
  for (const identity of descend(profile, 'Identity')) addIdentity(builder, identity, context)
  for (const feature of descend(profile, 'Feature')) addFeature(builder, feature, context)
  builder.addRemark(textAt(party, 'Comment'))
  builder.sourceUrl = ofacSourceUrl(uid)
  return { profileId, builder }
}

function addIdentity(builder: EntityBuilder, identity: XmlElement, context: AdvancedContext): void {
  const partTypes = new Map<string, string>()
  for (const group of descend(identity, 'NamePartGroups', 'MasterNamePartGroup', 'NamePartGroup')) {
    partTypes.set(
      group.attributes.ID ?? '',
      context.values.word('NamePartType', group.attributes.NamePartTypeID),
    )
  }
  for (const alias of descend(identity, 'Alias')) {
    const quality: NameQuality =
      alias.attributes.Primary === 'true'
        ? 'primary'
        : alias.attributes.LowQuality === 'true'
          ? 'weak_alias'
          : 'alias'
    descend(alias, 'DocumentedName').forEach((name, i) => {
      // Additional documented names of an alias are the same name in other scripts.
      addName(builder, name, i > 0 && quality === 'primary' ? 'alias' : quality, partTypes)
    })
  }
  for (const document of context.documents.get(identity.attributes.ID ?? '') ?? []) {
    const type = identifierType(document.kind)
    builder.addIdentifier(
      type,
      type === 'imo' ? document.number.replace(/^IMO\s*/i, '') : document.number,
      document.country,
    )
  }
}

function addName(
  builder: EntityBuilder,
  name: XmlElement,
  quality: NameQuality,
  partTypes: ReadonlyMap<string, string>,
): void {
  const values = descend(name, 'DocumentedNamePart', 'NamePartValue')
  const text = (kind: RegExp): string | null =>
    joinCleaned(
      values
        .filter((value) => kind.test(partTypes.get(value.attributes.NamePartGroupID ?? '') ?? ''))
        .map((value) => value.text),
      ' ',
    )
  const last = text(/^last name/)
  const first = text(/^first name/)
  const middle = text(/^(?:middle name|patronymic|matronymic)/)
  const whole = joinCleaned(
    values.map((value) => value.text),
    ' ',
  )
  if (builder.type !== 'person' || last === null || first === null) {
    builder.addName(whole, quality)
    return
  }
  const rest = text(/^(?!(?:last name|first name|middle name|patronymic|matronymic))/)
  const parts: NameParts = { first, last }
  if (middle !== null) parts.middle = middle
  builder.addName(joinCleaned([first, middle, rest, last], ' '), quality, parts)
}

function addFeature(builder: EntityBuilder, feature: XmlElement, context: AdvancedContext): void {
  const kind = context.values.word('FeatureType', feature.attributes.FeatureTypeID)
  for (const version of descend(feature, 'FeatureVersion')) {
    const place = context.locations.get(descend(version, 'VersionLocation')[0]?.attributes.LocationID ?? '')
    if (kind === 'birthdate')
      for (const period of descend(version, 'DatePeriod')) builder.addBirthDate(periodToBirthDate(period))
    else if (kind === 'place of birth') {
      const text = place?.text ?? textAt(version, 'VersionDetail')
      builder.addPlace('birth', text, place?.country ?? countryCode(text?.split(',').at(-1)))
    } else if (kind === 'nationality country' || kind === 'citizenship country')
      builder.addNationality(place?.country ?? null)
    else if (kind === 'location') builder.addPlace('address', place?.text, place?.country ?? null)
    else addDetail(builder, kind, clean(textAt(version, 'VersionDetail')))
  }
}

function addDetail(builder: EntityBuilder, kind: string, detail: string | null): void {
  if (/digital currency|swift|bic|tail number|serial number|call sign|mmsi/.test(kind))
    builder.addIdentifier(identifierType(kind), detail)
}

/**
 * Converts a birth period: a single day, a complete month or a complete year becomes that; anything else a range.
 * `Approximate` means circa.
 */
function periodToBirthDate(period: XmlElement): ListedBirthDate | null {
  const start = child(period, 'Start')
  const end = child(period, 'End')
  const circa = start?.attributes.Approximate === 'true' || end?.attributes.Approximate === 'true'
  const from = day(child(start, 'From'), circa)
  const to = day(child(end, 'To') ?? child(end, 'From'), circa)
  if (from === null || to === null) return from ?? to
  const span = birthRange(from, to, circa)
  if (span?.kind !== 'range' || span.from === null || span.to === null) return null
  if (span.from === span.to) return from
  const [year, month] = span.from.split('-')
  if (span.from.endsWith('-01-01') && span.to === `${year}-12-31`)
    return { kind: 'year', year: Number(year), circa }
  const wholeMonth = birthDate(Number(year), Number(month), 0, circa)
  const bounds = wholeMonth === null ? null : birthRange(wholeMonth, wholeMonth, circa)
  if (wholeMonth !== null && bounds?.kind === 'range' && bounds.from === span.from && bounds.to === span.to)
    return wholeMonth
  return span
}

function day(point: XmlElement | undefined, circa: boolean): ListedBirthDate | null {
  if (point === undefined) return null
  return birthDate(
    Number(textAt(point, 'Year')),
    Number(textAt(point, 'Month') ?? 0),
    Number(textAt(point, 'Day') ?? 0),
    circa,
  )
}
