import type { EntityType, ListedBirthDate, ListedEntity } from '../../domain/entity.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf } from '../source.ts'
import { birthRange, parseBirthDate } from '../text/birth-date.ts'
import { joinCleaned } from '../text/clean.ts'
import { countryCode, countryCodes } from '../text/country.ts'
import { isoDayOf, timestampOf } from '../text/published-date.ts'
import { descend, textAt, type XmlElement, xmlRecords } from '../xml.ts'
import { identifierType, imoNumberIn } from './identifier-type.ts'

const recordNames = new Set(['INDIVIDUAL', 'ENTITY'])
const nameFields = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'] as const
const sourceUrl = 'https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list'

/** Parses the United Nations Security Council Consolidated List (schema sc-sanctions.xsd). */
export async function* parseUnXml(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  report.list = 'un_sc'
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  const onRoot = (root: XmlElement): void => {
    report.publishedAt = timestampOf(root.attributes.dateGenerated)
  }
  for await (const record of xmlRecords(decodeStream(parts.main.open(), encoding), recordNames, onRoot)) {
    report.entriesRead += 1
    const entity = toEntity(record, record.name === 'INDIVIDUAL' ? 'person' : 'organization')
    if (entity === null) countDropped(report, 'no_name_or_reference')
    else yield entity
  }
}

function toEntity(record: XmlElement, type: EntityType): ListedEntity | null {
  const reference = textAt(record, 'REFERENCE_NUMBER')
  if (reference === undefined) return null
  const builder = new EntityBuilder('un_sc', reference, type)
  addNames(builder, record)
  for (const item of descend(record, 'INDIVIDUAL_DATE_OF_BIRTH')) builder.addBirthDate(birthDateOf(item))
  for (const value of descend(record, 'NATIONALITY', 'VALUE'))
    builder.addNationality(...countryCodes(value.text))
  addPlaces(builder, record)
  for (const document of descend(record, 'INDIVIDUAL_DOCUMENT')) addDocument(builder, document)
  builder.addProgram(textAt(record, 'UN_LIST_TYPE'))
  builder.listedOn = isoDayOf(textAt(record, 'LISTED_ON'))
  const comments = textAt(record, 'COMMENTS1')
  const imo = type === 'organization' ? imoNumberIn(comments) : null
  builder.addIdentifier('imo', imo)
  for (const value of descend(record, 'DESIGNATION', 'VALUE')) builder.addRemark(value.text)
  builder.addRemark(comments)
  builder.sourceUrl = sourceUrl
  return builder.build()
}

function addNames(builder: EntityBuilder, record: XmlElement): void {
  const primary = joinCleaned(
    nameFields.map((field) => textAt(record, field)),
    ' ',
  )
  if (builder.type === 'organization')
    for (const name of splitNames(primary)) builder.addName(name, builder.hasPrimary() ? 'alias' : 'primary')
  else builder.addName(primary, 'primary')
  for (const name of descend(record, 'NAME_ORIGINAL_SCRIPT')) {
    for (const single of splitNames(name.text)) builder.addName(single, 'alias')
  }
  for (const alias of [...descend(record, 'INDIVIDUAL_ALIAS'), ...descend(record, 'ENTITY_ALIAS')]) {
    const quality = /low/i.test(textAt(alias, 'QUALITY') ?? '') ? 'weak_alias' : 'alias'
    for (const single of aliasNames(textAt(alias, 'ALIAS_NAME'), builder.type))
      builder.addName(single, quality)
  }
}

/** Splits spellings in one field that are separated by semicolons or letters (`... b) ...`). */
function splitNames(text: string | null | undefined): string[] {
  return (text ?? '').split(/;|\s+[b-h]\)\s+/).map((name) => name.replace(/^\s*a\)\s+/, ''))
}

/** Reorders `Family, Given` and removes remarks in brackets and `born in ...` from persons' names. */
function aliasNames(text: string | undefined, type: EntityType): string[] {
  const names = splitNames(text)
  if (type !== 'person') return names
  return names.map((name) => {
    const plain = name
      .replace(/\([^)]*\)?/g, ' ')
      .replace(/,?\s+(?:born|also known|formerly)\b.*$/i, '')
      .replace(/[\s,]+$/, '')
    const turned = plain.match(/^\s*([^,]+),\s*([^,]+)$/)
    return turned ? `${turned[2]} ${turned[1]}` : plain
  })
}

function birthDateOf(item: XmlElement): ListedBirthDate | null {
  const kind = textAt(item, 'TYPE_OF_DATE') ?? ''
  const circa = /approximately/i.test(`${kind} ${textAt(item, 'NOTE') ?? ''}`)
  const from = parseBirthDate(textAt(item, 'FROM_YEAR'))
  const to = parseBirthDate(textAt(item, 'TO_YEAR'))
  if (from !== null && to !== null) return birthRange(from, to, circa)
  const birth = parseBirthDate(textAt(item, 'DATE')) ?? parseBirthDate(textAt(item, 'YEAR')) ?? from ?? to
  return birth === null ? null : { ...birth, circa }
}

function addPlaces(builder: EntityBuilder, record: XmlElement): void {
  const fields = ['STREET', 'CITY', 'STATE_PROVINCE', 'ZIP_CODE', 'COUNTRY']
  const add = (kind: 'birth' | 'address', place: XmlElement): void => {
    const text = joinCleaned(
      fields.map((field) => textAt(place, field)),
      ', ',
    )
    builder.addPlace(kind, text, countryCode(textAt(place, 'COUNTRY')))
  }
  for (const place of descend(record, 'INDIVIDUAL_PLACE_OF_BIRTH')) add('birth', place)
  for (const place of [...descend(record, 'INDIVIDUAL_ADDRESS'), ...descend(record, 'ENTITY_ADDRESS')])
    add('address', place)
}

function addDocument(builder: EntityBuilder, document: XmlElement): void {
  const words = `${textAt(document, 'TYPE_OF_DOCUMENT') ?? ''} ${textAt(document, 'TYPE_OF_DOCUMENT2') ?? ''}`
  const country =
    countryCode(textAt(document, 'ISSUING_COUNTRY')) ?? countryCode(textAt(document, 'COUNTRY_OF_ISSUE'))
  builder.addIdentifier(identifierType(words), textAt(document, 'NUMBER'), country)
}
