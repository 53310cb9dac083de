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
import { europeanDay, timestampOf } from '../text/published-date.ts'
import { columnReader, type Row } from './header.ts'
import { imoNumberIn } from './identifier-type.ts'
import { addUkDocuments, addUkName, ukEntityType, ukNameQuality, ukSourceUrl } from './uk-entity.ts'

const required = ['Name 6', 'Name 1', 'Group Type', 'Alias Type', 'Regime', 'Listed On', 'Group ID']
const numbers = [1, 2, 3, 4, 5, 6] as const
const uniqueId = /\(UK Sanctions List Ref\):\s*([A-Z]{3}\d{4})/

/**
 * Parses OFSI's consolidated list (`ConList.csv`, published until January 2026) in both of its layouts: one row per
 * combination of name, date and address, grouped by Group ID. An entry with a unique UK Sanctions List reference uses
 * it as its id, so that the id is the same in the successor list.
 */
export async function* parseUkConListCsv(
  parts: ListParts,
  report: ParseReport,
): AsyncGenerator<ListedEntity> {
  report.list = 'uk_sanctions'
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  const groups = new Map<string, EntityBuilder>()
  const referenceOf = new Map<string, string>()
  let read: ((record: string[]) => Row) | null = null
  for await (const record of csvRecords(decodeStream(parts.main.open(), encoding))) {
    if (read !== null) addRow(groups, referenceOf, read(record))
    else if (/^\s*last updated/i.test(record[0] ?? '') && europeanDay(record[1]) !== null) {
      report.publishedAt = timestampOf(europeanDay(record[1]))
    } else read = columnReader(record, required)
  }
  if (read === null) throw new ListRejectedError('empty', 'the file has no header')
  const uses = new Map<string, number>()
  for (const reference of referenceOf.values()) uses.set(reference, (uses.get(reference) ?? 0) + 1)
  for (const [group, builder] of groups) {
    report.entriesRead += 1
    const entity = builder.build()
    if (entity === null) {
      countDropped(report, 'no_name')
      continue
    }
    const reference = referenceOf.get(group)
    yield reference !== undefined && uses.get(reference) === 1 ? { ...entity, id: reference } : entity
  }
}

function addRow(groups: Map<string, EntityBuilder>, referenceOf: Map<string, string>, row: Row): void {
  const group = cleanValue(row('Group ID'))
  if (group === null || !/^\d+$/.test(group))
    throw new ListRejectedError('truncated', 'a record has no Group ID')
  const remarks = row('Other Information')
  let builder = groups.get(group)
  if (builder === undefined) {
    builder = new EntityBuilder('uk_sanctions', group, ukEntityType(row('Group Type')))
    // The older layout has no group type for ships, but their remarks begin with the IMO number.
    if (builder.type === 'organization' && /^\s*IMO\b/i.test(remarks)) builder.type = 'vessel'
    builder.sourceUrl = ukSourceUrl
    groups.set(group, builder)
  }
  const reference = remarks.match(uniqueId)?.[1]
  if (reference !== undefined) referenceOf.set(group, reference)
  addUkName(
    builder,
    numbers.map((number) => row(`Name ${number}`)),
    ukNameQuality(row('Alias Type'), row('Alias Quality')),
  )
  builder.addName(row('Name Non-Latin Script'), 'alias')
  builder.addBirthDate(parseBirthDate(row('DOB')))
  builder.addNationality(...countryCodes(row('Nationality')))
  const birthCountry = row('Country of Birth')
  builder.addPlace(
    'birth',
    joinCleaned([row('Town of Birth'), birthCountry], ', '),
    onlyCountry(birthCountry),
  )
  const country = row('Country')
  const lines = numbers.map((number) => row(`Address ${number}`))
  builder.addPlace(
    'address',
    joinCleaned([...lines, row('Post/Zip Code'), country], ', '),
    onlyCountry(country),
  )
  addDocuments(builder, row)
  if (builder.type === 'vessel')
    builder.addIdentifier('imo', imoNumberIn(remarks.replace(/\(IMO number\):/i, 'IMO ')))
  builder.addProgram(row('Regime'))
  builder.listedOn ??= europeanDay(row('Listed On'))
  builder.addRemark(row('Position'))
  builder.addRemark(remarks)
}

/** The older layout has the number inside text: `Passport No: 592667 (Qatari passport issued on 3 May 2007).` */
function addDocuments(builder: EntityBuilder, row: Row): void {
  addUkDocuments(builder, 'passport', row('Passport Number'), row('Passport Details'))
  addUkDocuments(
    builder,
    'national_id',
    row('National Identification Number'),
    row('National Identification Details'),
  )
  if (row('Passport Number') === '') builder.addIdentifier('passport', numberIn(row('Passport Details')))
  builder.addIdentifier('national_id', numberIn(row('NI Number')))
}

function numberIn(text: string): string | null {
  return text.match(/\b(?=[A-Z-]*\d)[A-Z0-9][A-Z0-9-]{4,}\b/)?.[0] ?? null
}
