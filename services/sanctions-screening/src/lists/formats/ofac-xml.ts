import type { ListedEntity, ListId } from '../../domain/entity.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf } from '../source.ts'
import { parseBirthDate } from '../text/birth-date.ts'
import { clean, joinCleaned } from '../text/clean.ts'
import { countryCode } from '../text/country.ts'
import { americanDay, timestampOf } from '../text/published-date.ts'
import { descend, textAt, type XmlElement, xmlRecords } from '../xml.ts'
import { identifierType } from './identifier-type.ts'
import { fromParts, looksConsolidated, ofacEntityType, ofacSourceUrl } from './ofac-names.ts'

const sampleSize = 64
const recordNames = new Set(['publshInformation', 'sdnEntry'])
// Descriptions, not identifiers.
const notIdentifiers =
  /gender|website|email|phone|secondary sanctions|executive order|directive|target type|organization type|model|manufacture date|operator|listing date|effective date/i

/** Parses OFAC's SDN.XML and CONSOLIDATED.XML. Namespaces are ignored, because the one of the schema has changed. */
export async function* parseOfacXml(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  let buffered: XmlElement[] | null = []
  let list: ListId = 'us_ofac_sdn'
  const flush = function* (): Generator<ListedEntity> {
    const first = buffered ?? []
    buffered = null
    list = looksConsolidated(first.map(programs)) ? 'us_ofac_cons' : 'us_ofac_sdn'
    report.list = list
    for (const entry of first) yield* toEntities(entry, list, report)
  }
  for await (const record of xmlRecords(decodeStream(parts.main.open(), encoding), recordNames, () => {})) {
    if (record.name === 'publshInformation') {
      report.publishedAt = timestampOf(americanDay(textAt(record, 'Publish_Date')))
      const count = Number(textAt(record, 'Record_Count'))
      if (Number.isInteger(count) && count > 0) report.declaredCount = count
      continue
    }
    report.entriesRead += 1
    if (buffered === null) yield* toEntities(record, list, report)
    else {
      buffered.push(record)
      if (buffered.length >= sampleSize) yield* flush()
    }
  }
  if (buffered !== null) yield* flush()
}

function programs(entry: XmlElement): string[] {
  return descend(entry, 'programList', 'program').map((program) => clean(program.text) ?? '')
}

function* toEntities(entry: XmlElement, list: ListId, report: ParseReport): Generator<ListedEntity> {
  const entity = toEntity(entry, list)
  if (entity === null) countDropped(report, 'no_name')
  else yield entity
}

function toEntity(entry: XmlElement, list: ListId): ListedEntity | null {
  const uid = textAt(entry, 'uid')
  if (uid === undefined) return null
  const builder = new EntityBuilder(list, uid, ofacEntityType(textAt(entry, 'sdnType')))
  const primary = fromParts(textAt(entry, 'lastName'), textAt(entry, 'firstName'))
  builder.addName(primary.full, 'primary', primary.parts)
  for (const aka of descend(entry, 'akaList', 'aka')) {
    const { full, parts } = fromParts(textAt(aka, 'lastName'), textAt(aka, 'firstName'))
    builder.addName(full, textAt(aka, 'category') === 'weak' ? 'weak_alias' : 'alias', parts)
  }
  for (const program of programs(entry)) builder.addProgram(program)
  for (const item of descend(entry, 'dateOfBirthList', 'dateOfBirthItem')) {
    builder.addBirthDate(parseBirthDate(textAt(item, 'dateOfBirth')))
  }
  for (const item of descend(entry, 'placeOfBirthList', 'placeOfBirthItem')) {
    const place = textAt(item, 'placeOfBirth')
    builder.addPlace('birth', place, countryCode(place?.split(',').at(-1)))
  }
  for (const item of [
    ...descend(entry, 'nationalityList', 'nationality'),
    ...descend(entry, 'citizenshipList', 'citizenship'),
  ]) {
    builder.addNationality(countryCode(textAt(item, 'country')))
  }
  for (const address of descend(entry, 'addressList', 'address')) addAddress(builder, address)
  for (const id of descend(entry, 'idList', 'id')) addIdentifier(builder, id)
  for (const vessel of descend(entry, 'vesselInfo'))
    builder.addIdentifier('call_sign', textAt(vessel, 'callSign'))
  const title = textAt(entry, 'title')
  if (title !== undefined) builder.addRemark(`Title: ${title}`)
  builder.addRemark(textAt(entry, 'remarks'))
  builder.sourceUrl = ofacSourceUrl(uid)
  return builder.build()
}

function addAddress(builder: EntityBuilder, address: XmlElement): void {
  const country = textAt(address, 'country')
  const lines = ['address1', 'address2', 'address3', 'city', 'stateOrProvince', 'postalCode'].map((name) =>
    textAt(address, name),
  )
  builder.addPlace('address', joinCleaned([...lines, country], ', '), countryCode(country))
}

function addIdentifier(builder: EntityBuilder, id: XmlElement): void {
  const kind = textAt(id, 'idType') ?? ''
  const value = textAt(id, 'idNumber')
  if (value === undefined || notIdentifiers.test(kind)) return
  const type = identifierType(kind)
  builder.addIdentifier(
    type,
    type === 'imo' ? value.replace(/^IMO\s*/i, '') : value,
    countryCode(textAt(id, 'idCountry')),
  )
}
