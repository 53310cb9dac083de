import type { ListedEntity } from '../../domain/entity.ts'
import { ListRejectedError } from '../../domain/lists/rejection.ts'
import { csvRecords } from '../csv.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf } from '../source.ts'
import { parseBirthDate } from '../text/birth-date.ts'
import { cleanValue, joinCleaned } from '../text/clean.ts'
import { countryCodes, onlyCountry } from '../text/country.ts'
import { europeanDay, timestampOf, writtenDay } from '../text/published-date.ts'
import { columnReader, type Row } from './header.ts'
import { addUkDocuments, addUkName, ukEntityType, ukNameQuality, ukSourceUrl } from './uk-entity.ts'

const required = ['Unique ID', 'Name 6', 'Name type', 'Designation Type', 'Regime Name', 'Date Designated']
const numbers = [1, 2, 3, 4, 5, 6] as const

/**
 * Parses the UK Sanctions List, CSV: report date, header, then one row per combination of name, address, date and
 * document.
 */
export async function* parseUkCsv(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  report.list = 'uk_sanctions'
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  const builders = new Map<string, EntityBuilder>()
  let read: ((record: string[]) => Row) | null = null
  for await (const record of csvRecords(decodeStream(parts.main.open(), encoding))) {
    if (read !== null) addRow(builders, read(record))
    else if (/^\s*report date/i.test(record[0] ?? '')) {
      report.publishedAt = timestampOf(writtenDay((record[0] ?? '').replace(/^[^:]*:/, '')))
    } else read = columnReader(record, required)
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
  const id = cleanValue(row('Unique ID'))
  if (id === null) return
  let builder = builders.get(id)
  if (builder === undefined) {
    builder = new EntityBuilder('uk_sanctions', id, ukEntityType(row('Designation Type')))
    builder.sourceUrl = ukSourceUrl
    builders.set(id, builder)
  }
  addUkName(
    builder,
    numbers.map((number) => row(`Name ${number}`)),
    ukNameQuality(row('Name type'), row('Alias strength')),
  )
  builder.addName(row('Name non-latin script'), 'alias')
  builder.addBirthDate(parseBirthDate(row('D.O.B')))
  builder.addNationality(...countryCodes(row('Nationality(/ies)')))
  const birthCountry = row('Country of birth')
  builder.addPlace(
    'birth',
    joinCleaned([row('Town of birth'), birthCountry], ', '),
    onlyCountry(birthCountry),
  )
  const country = row('Address Country')
  const lines = numbers.map((number) => row(`Address Line ${number}`))
  builder.addPlace(
    'address',
    joinCleaned([...lines, row('Address Postal Code'), country], ', '),
    onlyCountry(country),
  )
  addUkDocuments(builder, 'passport', row('Passport number'), row('Passport additional information'))
  addUkDocuments(
    builder,
    'national_id',
    row('National Identifier number'),
    row('National Identifier additional information'),
  )
  builder.addIdentifier('registration', row('Business registration number (s)'))
  builder.addIdentifier('imo', row('IMO number').replace(/^\s*IMO\s*/i, ''))
  builder.addProgram(row('Regime Name'))
  builder.listedOn ??= europeanDay(row('Date Designated'))
  builder.addRemark(row('Position'))
  builder.addRemark(row('Other Information'))
  builder.addRemark(row('UK Statement of Reasons'))
}
