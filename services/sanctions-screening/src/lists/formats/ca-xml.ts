import type { EntityType, ListedBirthDate, ListedEntity } from '../../domain/entity.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf } from '../source.ts'
import { parseBirthDate } from '../text/birth-date.ts'
import { clean, joinCleaned } from '../text/clean.ts'
import { isoDayOf, timestampOf } from '../text/published-date.ts'
import { textAt, type XmlElement, xmlRecords } from '../xml.ts'

const recordNames = new Set(['record'])
const sourceUrl =
  'https://www.international.gc.ca/world-monde/international_relations-relations_internationales/sanctions/consolidated-consolide.aspx'
const language = /^(?:[A-Z][a-z]+|alt(?:ernative)? spelling|also known as|aka|a\.k\.a\.)\s*:\s*/

/**
 * Parses Canada's Consolidated Autonomous Sanctions List (`sema-lmes.xml`). Entries have no id, so regime, schedule and
 * item identify one. The file states no publication date, so the latest listing date is used.
 */
export async function* parseCaXml(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  report.list = 'ca_sema'
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  let latest: string | null = null
  for await (const record of xmlRecords(decodeStream(parts.main.open(), encoding), recordNames, () => {})) {
    report.entriesRead += 1
    const entity = toEntity(record)
    if (entity === null) {
      countDropped(report, 'no_name_or_reference')
      continue
    }
    if (entity.listed_on !== null && (latest === null || entity.listed_on > latest)) latest = entity.listed_on
    yield entity
  }
  report.publishedAt = timestampOf(latest)
}

function toEntity(record: XmlElement): ListedEntity | null {
  const regime = clean(textAt(record, 'Country'))
  const item = clean(textAt(record, 'Item'))
  if (regime === null || item === null) return null
  const id = [regime.split(' / ')[0], clean(textAt(record, 'Schedule')), item]
    .filter((part) => part)
    .join(' / ')
  const builder = new EntityBuilder('ca_sema', id, entityType(record))
  const first = textAt(record, 'GivenName')
  const last = textAt(record, 'LastName')
  if (builder.type === 'person')
    builder.addName(joinCleaned([first, last], ' '), 'primary', { first: first ?? '', last: last ?? '' })
  else
    for (const name of (textAt(record, 'EntityOrShip') ?? '').split(' / '))
      builder.addName(name, builder.hasPrimary() ? 'alias' : 'primary')
  for (const alias of aliases(textAt(record, 'Aliases'), builder.type)) builder.addName(alias, 'alias')
  if (builder.type === 'person')
    for (const birth of births(textAt(record, 'DateOfBirthOrShipBuildDate'))) builder.addBirthDate(birth)
  builder.addIdentifier('imo', textAt(record, 'ShipIMONumber'))
  builder.addProgram(regime)
  builder.listedOn = isoDayOf(textAt(record, 'DateOfListing'))
  builder.addRemark(textAt(record, 'TitleOrShip'))
  builder.sourceUrl = sourceUrl
  return builder.build()
}

function entityType(record: XmlElement): EntityType {
  if (textAt(record, 'ShipIMONumber') !== undefined) return 'vessel'
  return textAt(record, 'EntityOrShip') === undefined ? 'person' : 'organization'
}

/** Splits `Siarhei K, Belarusian: Сяргей К; Russian: Сергей К`. Commas are part of a company name (`X Co., Ltd.`). */
function aliases(text: string | undefined, type: EntityType): string[] {
  return (text ?? '')
    .split(type === 'person' ? /[;,]/ : ';')
    .flatMap((alias) => alias.split(/\s+(?=(?:Belarusian|Russian|Ukrainian|Persian|Arabic|Burmese)\s*:)/))
    .map((alias) => (clean(alias) ?? '').replace(language, ''))
}

function births(text: string | undefined): (ListedBirthDate | null)[] {
  return (text ?? '').split(/\s+or\s+/i).map(parseBirthDate)
}
