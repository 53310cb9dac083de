import type { ListedBirthDate, ListedEntity, NameQuality } from '../../domain/entity.ts'
import { ListRejectedError } from '../../domain/lists/rejection.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { birthDate, parseBirthDate } from '../text/birth-date.ts'
import { clean, cleanValue } from '../text/clean.ts'
import { countryCode, countryCodes } from '../text/country.ts'
import { splitMarkedItems } from '../text/items.ts'
import { timestampOf } from '../text/published-date.ts'
import { xlsxRows } from '../xlsx.ts'
import { columnReader, type Row } from './header.ts'
import { imoNumberIn } from './identifier-type.ts'

const required = ['Reference', 'Name of Individual or Entity', 'Type', 'Name Type']
const sourceUrl = 'https://www.dfat.gov.au/international-relations/security/sanctions/consolidated-list'
const listedOn = /\b(?:listed|designat\w+)\b[^0-9]{0,60}?(\d{1,2}\s+[A-Z][a-z]{2,8}\.?\s+\d{4})/i

/**
 * Parses Australia's Consolidated List (regulation 8), a workbook with one row per name (references 123, 123a, 123b).
 * The file states no publication date, so the latest control date is used.
 */
export async function* parseAuXlsx(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  report.list = 'au_dfat'
  const builders = new Map<string, EntityBuilder>()
  let read: ((record: readonly string[]) => Row) | null = null
  let latestControl = 0
  for await (const cells of xlsxRows(parts.main)) {
    const record = columns(cells)
    if (read === null) {
      read = columnReader(record, required)
      continue
    }
    const row = read(record)
    const control = Number(row('Control Date'))
    if (Number.isFinite(control) && control > latestControl) latestControl = control
    addRow(builders, row)
  }
  if (read === null) throw new ListRejectedError('empty', 'the workbook has no rows')
  report.publishedAt = timestampOf(serialDay(latestControl))
  for (const builder of builders.values()) {
    report.entriesRead += 1
    const entity = builder.build()
    if (entity === null) countDropped(report, 'no_name')
    else yield entity
  }
}

/** The cells A to Z in order. The list uses twelve columns. */
function columns(cells: ReadonlyMap<string, string>): string[] {
  return Array.from({ length: 26 }, (_, i) => cells.get(String.fromCharCode(65 + i)) ?? '')
}

function addRow(builders: Map<string, EntityBuilder>, row: Row): void {
  const id = clean(row('Reference'))?.match(/^\d+/)?.[0]
  if (id === undefined) return
  let builder = builders.get(id)
  if (builder === undefined) {
    const person = clean(row('Type'))?.toLowerCase() === 'individual'
    const imo = person ? null : imoNumberIn(row('Additional Information'))
    const vessel =
      /^vessel|^ship/i.test(clean(row('Type')) ?? '') ||
      /\b(?:flag|vessel type|tanker)\b/i.test(row('Additional Information'))
    builder = new EntityBuilder(
      'au_dfat',
      id,
      person ? 'person' : imo !== null && vessel ? 'vessel' : 'organization',
    )
    builder.addIdentifier('imo', imo)
    builder.sourceUrl = sourceUrl
    builders.set(id, builder)
  }
  builder.addName(row('Name of Individual or Entity'), nameQuality(row('Name Type')))
  for (const birth of births(row('Date of Birth'))) builder.addBirthDate(birth)
  for (const place of splitMarkedItems(row('Place of Birth')))
    builder.addPlace('birth', place, countryCode(place.split(',').at(-1)))
  builder.addNationality(...countryCodes(row('Citizenship')))
  for (const place of splitMarkedItems(row('Address')))
    builder.addPlace('address', place, countryCode(place.split(',').at(-1)))
  builder.addProgram(row('Committees'))
  const listing = cleanValue(row('Listing Information'))
  builder.listedOn ??= dayIn(listing)
  builder.addRemark(row('Additional Information'))
  builder.addRemark(listing)
}

function nameQuality(text: string): NameQuality {
  return clean(text)?.toLowerCase() === 'primary name' ? 'primary' : 'alias'
}

/** Parses a serial number, or one or more dates in text. */
function births(text: string): (ListedBirthDate | null)[] {
  const value = clean(text) ?? ''
  if (/^\d{5}$/.test(value)) {
    const [year, month, day] = serialDay(Number(value)).split('-').map(Number)
    return [birthDate(year ?? 0, month ?? 0, day ?? 0, false)]
  }
  return splitMarkedItems(value).flatMap((item) => item.split(/;|>>|\bor\b|alt\.? DOB:/i).map(parseBirthDate))
}

/** Converts days since 1899-12-30, the epoch of SpreadsheetML's 1900 date system for dates after February 1900. */
function serialDay(serial: number): string {
  return new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000).toISOString().slice(0, 10)
}

function dayIn(text: string | null): string | null {
  const birth = parseBirthDate(text?.match(listedOn)?.[1])
  return birth?.kind === 'day' ? birth.date : null
}
