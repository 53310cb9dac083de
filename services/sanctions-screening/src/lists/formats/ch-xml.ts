import type {
  EntityType,
  ListedBirthDate,
  ListedEntity,
  NameParts,
  NameQuality,
} from '../../domain/entity.ts'
import { ListRejectedError } from '../../domain/lists/rejection.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf } from '../source.ts'
import { birthDate } from '../text/birth-date.ts'
import { clean, joinCleaned } from '../text/clean.ts'
import { alpha3OfAlpha2, countryCode } from '../text/country.ts'
import { isoDayOf, timestampOf } from '../text/published-date.ts'
import { child, descend, textAt, type XmlElement, xmlRecords } from '../xml.ts'
import { identifierType, imoNumberIn } from './identifier-type.ts'

const recordNames = new Set(['sanctions-program', 'target', 'place'])
const sourceUrl = 'https://www.sesam.search.admin.ch/sesam-search-web/pages/search.xhtml'

type Place = {
  text: string | null
  country: string | null
}

/**
 * Parses SECO's consolidated list. The file retains delisted targets; the latest modification determines whether a
 * target is listed. `added` and `removed` contain previous states of a target, so only direct children are read.
 * Places come after the targets.
 */
export async function* parseChXml(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  report.list = 'ch_seco'
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  const onRoot = (root: XmlElement): void => {
    report.publishedAt = timestampOf(root.attributes.date)
    if (root.attributes['list-type'] !== 'whole-list')
      throw new ListRejectedError('schema', 'the file is an amendment, not the complete list')
  }
  const programOfSet = new Map<string, string>()
  const places = new Map<string, Place>()
  const targets: { builder: EntityBuilder; body: XmlElement }[] = []
  for await (const record of xmlRecords(decodeStream(parts.main.open(), encoding), recordNames, onRoot)) {
    if (record.name === 'sanctions-program') addProgram(programOfSet, record)
    else if (record.name === 'place') places.set(record.attributes.ssid ?? '', readPlace(record))
    else {
      report.entriesRead += 1
      const target = readTarget(record, programOfSet)
      if (typeof target === 'string') countDropped(report, target)
      else targets.push(target)
    }
  }
  for (const { builder, body } of targets) {
    for (const identity of descend(body, 'identity')) addPlaces(builder, identity, places)
    const entity = builder.build()
    if (entity === null) countDropped(report, 'no_name')
    else yield entity
  }
}

function addProgram(programOfSet: Map<string, string>, program: XmlElement): void {
  const keys = descend(program, 'program-key')
  const english = keys.find((key) => key.attributes.lang === 'eng') ?? keys[0]
  const name = clean(english?.text)
  if (name === null) return
  for (const set of descend(program, 'sanctions-set')) programOfSet.set(set.attributes.ssid ?? '', name)
}

function readTarget(
  target: XmlElement,
  programOfSet: ReadonlyMap<string, string>,
): { builder: EntityBuilder; body: XmlElement } | string {
  const id = target.attributes.ssid
  const body = child(target, 'individual') ?? child(target, 'entity') ?? child(target, 'object')
  if (id === undefined || body === undefined) return 'no_reference'
  if (isDelisted(target)) return 'de_listed'
  const builder = new EntityBuilder('ch_seco', id, entityType(body))
  for (const identity of descend(body, 'identity')) addIdentity(builder, identity)
  for (const set of descend(target, 'sanctions-set-id')) builder.addProgram(programOfSet.get(set.text.trim()))
  for (const information of descend(body, 'other-information')) {
    if (builder.type === 'vessel') builder.addIdentifier('imo', imoNumberIn(information.text))
    builder.addRemark(information.text)
  }
  for (const justification of descend(body, 'justification')) builder.addRemark(justification.text)
  const listed = descend(target, 'modification').filter(
    ({ attributes }) => attributes['modification-type'] === 'listed',
  )
  builder.listedOn =
    listed.map(({ attributes }) => isoDayOf(attributes['effective-date'])).find((day) => day !== null) ?? null
  builder.sourceUrl = sourceUrl
  return { builder, body }
}

function isDelisted(target: XmlElement): boolean {
  const modifications = descend(target, 'modification')
  let newest = modifications[0]
  for (const modification of modifications) {
    if ((modification.attributes['effective-date'] ?? '') > (newest?.attributes['effective-date'] ?? ''))
      newest = modification
  }
  return newest?.attributes['modification-type'] === 'de-listed'
}

function entityType(body: XmlElement): EntityType {
  if (body.name === 'individual') return 'person'
  const object = body.attributes['object-type']
  return object === 'vessel' || object === 'aircraft' ? object : 'organization'
}

function addIdentity(builder: EntityBuilder, identity: XmlElement): void {
  const main = identity.attributes.main === 'true'
  for (const name of descend(identity, 'name')) addName(builder, name, main)
  for (const nationality of descend(identity, 'nationality', 'country')) {
    builder.addNationality(
      alpha3OfAlpha2(nationality.attributes['iso-code']) ?? countryCode(nationality.text),
    )
  }
  for (const birth of descend(identity, 'day-month-year')) builder.addBirthDate(birthDateOf(birth))
  for (const document of descend(identity, 'identification-document')) {
    const issuer = child(document, 'issuer')
    const country = alpha3OfAlpha2(issuer?.attributes.code) ?? countryCode(issuer?.text)
    builder.addIdentifier(
      identifierType(document.attributes['document-type'] ?? ''),
      textAt(document, 'number'),
      country,
    )
  }
}

/**
 * Spelling variants belong to name parts. The variants with the same language and script form one spelling of the
 * name.
 */
function addName(builder: EntityBuilder, name: XmlElement, main: boolean): void {
  const quality: NameQuality =
    name.attributes.quality === 'low'
      ? 'weak_alias'
      : main && name.attributes['name-type'] === 'primary-name'
        ? 'primary'
        : 'alias'
  const parts = descend(name, 'name-part')
    .filter((part) => part.attributes['name-part-type'] !== 'title')
    .sort((a, b) => Number(a.attributes.order) - Number(b.attributes.order))
  const addSpelling = (
    spelling: (part: XmlElement) => string | undefined,
    spellingQuality: NameQuality,
  ): void => {
    const partsOfType = (...types: string[]): string | undefined =>
      joinCleaned(
        parts.filter((part) => types.includes(part.attributes['name-part-type'] ?? '')).map(spelling),
        ' ',
      ) ?? undefined
    const roles: NameParts = {
      first: partsOfType('given-name'),
      middle: partsOfType('further-given-name', 'father-name'),
      last: partsOfType('family-name'),
    }
    const others = partsOfType(
      'whole-name',
      'maiden-name',
      'suffix',
      'tribal-name',
      'grand-father-name',
      'other',
    )
    const full =
      joinCleaned([roles.first, roles.middle, others, roles.last], ' ') ??
      joinCleaned(parts.map(spelling), ' ')
    builder.addName(full, spellingQuality, builder.type === 'person' ? roles : undefined)
  }
  addSpelling((part) => textAt(part, 'value'), quality)
  const variants = new Set(descend(name, 'name-part', 'spelling-variant').map(variantKey))
  for (const key of variants) {
    const spelling = (part: XmlElement): string | undefined =>
      descend(part, 'spelling-variant').find((variant) => variantKey(variant) === key)?.text ??
      textAt(part, 'value')
    addSpelling(spelling, quality === 'primary' ? 'alias' : quality)
  }
}

function variantKey(variant: XmlElement): string {
  return `${variant.attributes.lang ?? ''} ${variant.attributes.script ?? ''}`
}

function birthDateOf(birth: XmlElement): ListedBirthDate | null {
  const { day, month, year, quality, calendar } = birth.attributes
  if (calendar !== undefined && calendar.toLowerCase() !== 'gregorian') return null
  return birthDate(Number(year), Number(month ?? 0), Number((month && day) ?? 0), quality === 'low')
}

function readPlace(place: XmlElement): Place {
  const country = child(place, 'country')
  const text = joinCleaned([textAt(place, 'location'), textAt(place, 'area'), country?.text], ', ')
  return { text, country: alpha3OfAlpha2(country?.attributes['iso-code']) ?? countryCode(country?.text) }
}

function addPlaces(builder: EntityBuilder, identity: XmlElement, places: ReadonlyMap<string, Place>): void {
  for (const birth of descend(identity, 'place-of-birth')) {
    const place = places.get(birth.attributes['place-id'] ?? '')
    builder.addPlace('birth', place?.text, place?.country ?? null)
  }
  for (const address of descend(identity, 'address')) {
    const place = places.get(address.attributes['place-id'] ?? '')
    const lines = ['address-details', 'p-o-box', 'zip-code'].map((name) => textAt(address, name))
    builder.addPlace('address', joinCleaned([...lines, place?.text], ', '), place?.country ?? null)
  }
}
