import type { ListedEntity } from '../../domain/entity.ts'
import { ListRejectedError } from '../../domain/lists/rejection.ts'
import { csvRecords } from '../csv.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf } from '../source.ts'
import { cleanValue, joinCleaned } from '../text/clean.ts'
import { alpha3OfAlpha2 } from '../text/country.ts'
import { europeanDay, isoDayOf, timestampOf } from '../text/published-date.ts'
import { webAddress } from '../text/web-address.ts'
import { euBirthDate, euEntityType, euIdentifierType, euSourceUrl, isLowQuality } from './eu-entity.ts'
import { columnReader, type Row } from './header.ts'

const required = [
  'fileGenerationDate',
  'Entity_LogicalId',
  'Entity_EU_ReferenceNumber',
  'NameAlias_WholeName',
]

/**
 * Parses the EU's Financial Sanctions Files, full list, CSV 1.1: semicolon-separated, one row per detail of an
 * entity.
 */
export async function* parseEuCsv(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  report.list = 'eu_fsf'
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  const builders = new Map<string, EntityBuilder>()
  let read: ((record: string[]) => Row) | null = null
  for await (const record of csvRecords(decodeStream(parts.main.open(), encoding), ';')) {
    if (read === null) {
      read = columnReader(record, required)
      continue
    }
    const row = read(record)
    report.publishedAt ??= timestampOf(europeanDay(row('fileGenerationDate')))
    addRow(builders, row)
  }
  if (read === null) throw new ListRejectedError('empty', 'the file has no header')
  for (const builder of builders.values()) {
    report.entriesRead += 1
    const entity = builder.build()
    if (entity === null) countDropped(report, 'no_name')
    else yield entity
  }
}

function addRow(builders: Map<string, EntityBuilder>, row: Row): void {
  const logicalId = cleanValue(row('Entity_LogicalId'))
  if (logicalId === null) return
  let builder = builders.get(logicalId)
  if (builder === undefined) {
    const id = cleanValue(row('Entity_EU_ReferenceNumber')) ?? logicalId
    builder = new EntityBuilder(
      'eu_fsf',
      id,
      euEntityType(row('Entity_SubjectType'), row('Entity_SubjectType_ClassificationCode')),
    )
    builder.addProgram(row('Entity_Regulation_Programme'))
    builder.listedOn = isoDayOf(row('Entity_DesignationDate'))
    builder.sourceUrl = webAddress(row('Entity_Regulation_PublicationUrl')) ?? euSourceUrl
    builder.addRemark(row('Entity_Remark'))
    builder.addRemark(row('Entity_DesignationDetails'))
    builders.set(logicalId, builder)
  }
  addDetails(builder, row)
}

function addDetails(builder: EntityBuilder, row: Row): void {
  const first = row('NameAlias_FirstName')
  const middle = row('NameAlias_MiddleName')
  const last = row('NameAlias_LastName')
  const quality = isLowQuality(cleanValue(row('NameAlias_Remark'))) ? 'weak_alias' : 'alias'
  builder.addName(
    cleanValue(row('NameAlias_WholeName')) ?? joinCleaned([first, middle, last], ' '),
    quality,
    { first, middle, last },
  )
  builder.addBirthDate(
    euBirthDate({
      date: row('BirthDate_BirthDate'),
      day: row('BirthDate_Day'),
      month: row('BirthDate_Month'),
      year: row('BirthDate_Year'),
      from: row('BirthDate_YearRangeFrom'),
      to: row('BirthDate_YearRangeTo'),
      circa: row('BirthDate_Circa').toLowerCase() === 'true',
      calendar: row('BirthDate_CalendarType'),
    }),
  )
  addPlace(builder, 'birth', row, 'BirthDate')
  addPlace(builder, 'address', row, 'Address')
  if (row('Identification_KnownFalse').toLowerCase() !== 'true') {
    const number = cleanValue(row('Identification_Number')) ?? row('Identification_LatinNumber')
    const country = alpha3OfAlpha2(row('Identification_CountryIso2Code'))
    builder.addIdentifier(euIdentifierType(row('Identification_TypeCode')), number, country)
  }
  builder.addNationality(alpha3OfAlpha2(row('Citizenship_CountryIso2Code')))
}

function addPlace(
  builder: EntityBuilder,
  kind: 'birth' | 'address',
  row: Row,
  block: 'BirthDate' | 'Address',
): void {
  const country = alpha3OfAlpha2(row(`${block}_CountryIso2Code`))
  const lines = ['Street', 'PoBox', 'ZipCode', 'City', 'Place', 'Region'].map((name) =>
    row(`${block}_${name}`),
  )
  if (country !== null) lines.push(row(`${block}_CountryDescription`))
  builder.addPlace(kind, joinCleaned(lines, ', '), country)
}
