import type { ListedEntity, ListId } from '../../domain/entity.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf } from '../source.ts'
import { clean } from '../text/clean.ts'
import { isoDay, timestampOf } from '../text/published-date.ts'
import { child, descend, textAt, type XmlElement, xmlRecords } from '../xml.ts'
import { type AdvancedContext, type AdvancedDocument, readParty } from './ofac-advanced-party.ts'
import {
  type AdvancedPlace,
  ReferenceValues,
  readLocation,
  referenceNames,
} from './ofac-advanced-reference.ts'

const valueNames: ReadonlySet<string> = new Set(referenceNames)
const recordNames: ReadonlySet<string> = new Set([
  ...referenceNames,
  'DateOfIssue',
  'Location',
  'IDRegDocument',
  'DistinctParty',
  'SanctionsEntry',
])

/**
 * Parses OFAC's SDN_ADVANCED.XML and CONS_ADVANCED.XML, whose elements refer to each other by id. Value sets,
 * locations and documents precede the parties; the sanctions entries (programmes, dates, list) follow them. So the
 * parties are buffered in their normal form until the end, but the document is not.
 */
export async function* parseOfacAdvancedXml(
  parts: ListParts,
  report: ParseReport,
): AsyncGenerator<ListedEntity> {
  const encoding = await detectEncoding(parts.main, await headOf(parts.main, 512))
  const values = new ReferenceValues()
  const locations = new Map<string, AdvancedPlace>()
  const documents = new Map<string, AdvancedDocument[]>()
  const context: AdvancedContext = { values, locations, documents }
  const entities = new Map<string, ListedEntity>()
  const listNames: string[] = []
  for await (const record of xmlRecords(decodeStream(parts.main.open(), encoding), recordNames, () => {})) {
    if (valueNames.has(record.name)) values.add(record)
    else if (record.name === 'DateOfIssue') report.publishedAt = timestampOf(dayOf(record))
    else if (record.name === 'Location')
      locations.set(record.attributes.ID ?? '', readLocation(record, values))
    else if (record.name === 'IDRegDocument') addDocument(documents, record, values)
    else if (record.name === 'DistinctParty') {
      report.entriesRead += 1
      const party = readParty(record, 'us_ofac_sdn', context)
      const entity = party?.builder.build() ?? null
      if (party === null || entity === null) countDropped(report, 'no_name_or_reference')
      // Copied through JSON: substrings of the document would retain its chunks in memory until the end.
      else entities.set(party.profileId, JSON.parse(JSON.stringify(entity)) as ListedEntity)
    } else readEntry(record, entities, values, listNames)
  }
  const list = listOf(listNames)
  report.list = list
  for (const entity of entities.values()) yield { ...entity, list }
}

function dayOf(element: XmlElement | undefined): string | null {
  if (element === undefined) return null
  return isoDay(
    Number(textAt(element, 'Year')),
    Number(textAt(element, 'Month')),
    Number(textAt(element, 'Day')),
  )
}

function addDocument(
  documents: Map<string, AdvancedDocument[]>,
  record: XmlElement,
  values: ReferenceValues,
): void {
  const identity = record.attributes.IdentityID
  const number = clean(textAt(record, 'IDRegistrationNo'))
  if (identity === undefined || number === null) return
  const kind = values.word('IDRegDocType', record.attributes.IDRegDocTypeID)
  const country = values.country(record.attributes['IssuedBy-CountryID'])
  const known = documents.get(identity)
  if (known === undefined) documents.set(identity, [{ kind, number, country }])
  else known.push({ kind, number, country })
}

/** Programmes are in the comment of a measure of type 1 (`Program`). */
function readEntry(
  entry: XmlElement,
  entities: ReadonlyMap<string, ListedEntity>,
  values: ReferenceValues,
  listNames: string[],
): void {
  const entity = entities.get(entry.attributes.ProfileID ?? '')
  if (entity === undefined) return
  listNames.push(values.word('List', entry.attributes.ListID))
  const listed = dayOf(child(descend(entry, 'EntryEvent')[0], 'Date'))
  if (listed !== null && (entity.listed_on === null || listed < entity.listed_on)) entity.listed_on = listed
  for (const measure of descend(entry, 'SanctionsMeasure')) {
    const type = measure.attributes.SanctionsTypeID
    const program = clean(textAt(measure, 'Comment'))
    if (program === null || entity.programs.includes(program)) continue
    if (type === '1' || values.word('SanctionsType', type) === 'program') entity.programs.push(program)
  }
}

function listOf(names: readonly string[]): ListId {
  const sdn = names.filter((name) => name === '' || name.includes('sdn list')).length
  return sdn * 2 >= names.length ? 'us_ofac_sdn' : 'us_ofac_cons'
}
