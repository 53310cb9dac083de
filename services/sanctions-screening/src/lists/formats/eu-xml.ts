import type { ListedEntity, NameQuality } from '../../domain/entity.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf } from '../source.ts'
import { clean, cleanValue, joinCleaned } from '../text/clean.ts'
import { alpha3OfAlpha2 } from '../text/country.ts'
import { isoDayOf, timestampOf } from '../text/published-date.ts'
import { webAddress } from '../text/web-address.ts'
import { descend, textAt, type XmlElement, xmlRecords } from '../xml.ts'
import { euBirthDate, euEntityType, euIdentifierType, euSourceUrl, isLowQuality } from './eu-entity.ts'

const recordNames = new Set(['sanctionEntity'])

/** Parses the EU's Financial Sanctions Files, full list, XML 1.1. All data is in attributes. */
export async function* parseEuXml(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  report.list = 'eu_fsf'
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  const onRoot = (root: XmlElement): void => {
    report.publishedAt = timestampOf(root.attributes.generationDate)
  }
  for await (const record of xmlRecords(decodeStream(parts.main.open(), encoding), recordNames, onRoot)) {
    report.entriesRead += 1
    const entity = toEntity(record)
    if (entity === null) countDropped(report, 'no_name_or_reference')
    else yield entity
  }
}

function toEntity(record: XmlElement): ListedEntity | null {
  const id = cleanValue(record.attributes.euReferenceNumber) ?? cleanValue(record.attributes.logicalId)
  if (id === null) return null
  const subject = descend(record, 'subjectType')[0]?.attributes
  const builder = new EntityBuilder('eu_fsf', id, euEntityType(subject?.code, subject?.classificationCode))
  addNames(builder, record)
  for (const birth of descend(record, 'birthdate')) addBirth(builder, birth)
  for (const { attributes } of descend(record, 'citizenship'))
    builder.addNationality(alpha3OfAlpha2(attributes.countryIso2Code))
  for (const address of descend(record, 'address')) addPlace(builder, 'address', address)
  for (const document of descend(record, 'identification')) addIdentifier(builder, document)
  for (const regulation of descend(record, 'regulation')) {
    builder.addProgram(regulation.attributes.programme)
    builder.sourceUrl = webAddress(textAt(regulation, 'publicationUrl')) ?? builder.sourceUrl
  }
  builder.listedOn = isoDayOf(record.attributes.designationDate)
  builder.sourceUrl ??= euSourceUrl
  builder.addRemark(record.attributes.designationDetails)
  for (const remark of descend(record, 'remark')) builder.addRemark(remark.text)
  return builder.build()
}

/** The list marks no primary name (`strong` is set on all names), so the builder chooses one. */
function addNames(builder: EntityBuilder, record: XmlElement): void {
  for (const alias of descend(record, 'nameAlias')) {
    const { wholeName, firstName, middleName, lastName, strong } = alias.attributes
    const remark = clean(
      descend(alias, 'remark')
        .map((element) => element.text)
        .join('; '),
    )
    const quality: NameQuality = strong === 'false' || isLowQuality(remark) ? 'weak_alias' : 'alias'
    const full = cleanValue(wholeName) ?? joinCleaned([firstName, middleName, lastName], ' ')
    builder.addName(full, quality, { first: firstName ?? '', middle: middleName ?? '', last: lastName ?? '' })
    if (remark !== null) builder.addRemark(remark)
  }
}

function addBirth(builder: EntityBuilder, birth: XmlElement): void {
  const { birthdate, dayOfMonth, monthOfYear, year, yearRangeFrom, yearRangeTo, circa, calendarType } =
    birth.attributes
  builder.addBirthDate(
    euBirthDate({
      date: birthdate,
      day: dayOfMonth,
      month: monthOfYear,
      year,
      from: yearRangeFrom,
      to: yearRangeTo,
      circa: circa === 'true',
      calendar: calendarType,
    }),
  )
  addPlace(builder, 'birth', birth)
}

function addPlace(builder: EntityBuilder, kind: 'birth' | 'address', element: XmlElement): void {
  const { street, poBox, zipCode, city, place, region, countryIso2Code, countryDescription } =
    element.attributes
  const country = alpha3OfAlpha2(countryIso2Code)
  const lines = [street, poBox, zipCode, city, place, region, country === null ? null : countryDescription]
  builder.addPlace(kind, joinCleaned(lines, ', '), country)
}

function addIdentifier(builder: EntityBuilder, document: XmlElement): void {
  const { number, latinNumber, identificationTypeCode, countryIso2Code, knownFalse } = document.attributes
  // A document known to be forged could incriminate its rightful holder.
  if (knownFalse === 'true') return
  const value = cleanValue(number) ?? latinNumber
  builder.addIdentifier(euIdentifierType(identificationTypeCode), value, alpha3OfAlpha2(countryIso2Code))
}
