import type { ListedEntity, ListId } from '../../domain/entity.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import type { EntityBuilder } from '../entity-builder.ts'
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
 * OFAC's SDN_ADVANCED.XML and CONS_ADVANCED.XML. Everything is joined by ids: value sets, locations and documents come
 * before the parties, and what a party is listed under (programmes, dates, the list itself) after all of them. Parties
 * are kept in their normal form until then; the document itself is never held.
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
  const builders = new Map<string, EntityBuilder>()
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
      if (party === null) countDropped(report, 'no_reference')
      else builders.set(party.profileId, party.builder)
    } else readEntry(record, builders, values, listNames)
  }
  const list = listOf(listNames)
  report.list = list
  for (const builder of builders.values()) {
    const entity = builder.build()
    if (entity === null) countDropped(report, 'no_name')
    else yield { ...entity, list }
  }
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

/** Programmes stand in the comment of a measure of type 1 (`Program`). */
function readEntry(
  entry: XmlElement,
  builders: ReadonlyMap<string, EntityBuilder>,
  values: ReferenceValues,
  listNames: string[],
): void {
  const builder = builders.get(entry.attributes.ProfileID ?? '')
  if (builder === undefined) return
  listNames.push(values.word('List', entry.attributes.ListID))
  const listed = dayOf(child(descend(entry, 'EntryEvent')[0], 'Date'))
  if (listed !== null && (builder.listedOn === null || listed < builder.listedOn)) builder.listedOn = listed
  for (const measure of descend(entry, 'SanctionsMeasure')) {
    const type = measure.attributes.SanctionsTypeID
    if (type === '1' || values.word('SanctionsType', type) === 'program')
      builder.addProgram(textAt(measure, 'Comment'))
  }
}

function listOf(names: readonly string[]): ListId {
  const sdn = names.filter((name) => name === '' || name.includes('sdn list')).length
  return sdn * 2 >= names.length ? 'us_ofac_sdn' : 'us_ofac_cons'
}
