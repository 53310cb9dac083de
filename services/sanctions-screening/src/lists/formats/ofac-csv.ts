import type { ListedEntity, ListId } from '../../domain/entity.ts'
import { ListRejectedError } from '../../domain/lists/rejection.ts'
import { csvRecords } from '../csv.ts'
import { decodeStream, detectEncoding } from '../decode.ts'
import { EntityBuilder } from '../entity-builder.ts'
import { countDropped, type ListParts, type ParseReport } from '../format.ts'
import { headOf, type ListFile } from '../source.ts'
import { cleanValue, joinCleaned } from '../text/clean.ts'
import { countryCode } from '../text/country.ts'
import { looksConsolidated, ofacEntityType, ofacName, ofacSourceUrl } from './ofac-names.ts'
import { readOfacRemarks } from './ofac-remarks.ts'

/** Columns of SDN.CSV and CONS_PRIM.CSV, in order: the files have no header. */
const mainColumns = 12
/** Number of entries used to distinguish the SDN list from the consolidated list. */
const sampleSize = 64

type Address = {
  text: string | null
  country: string | null
}

/**
 * Parses OFAC's CSV publication: SDN.CSV (or CONS_PRIM.CSV) with ALT, ADD and SDN_COMMENTS. `-0-` means null. Birth
 * dates, nationalities, identifiers and weak aliases are in the remarks, which continue in the comments file in
 * mid-word.
 */
export async function* parseOfacCsv(parts: ListParts, report: ParseReport): AsyncGenerator<ListedEntity> {
  const aliases = await collect(parts.aliases, 5, (record) => record[3] ?? '')
  const addresses = await collect(parts.addresses, 6, (record) => ({
    text: joinCleaned([record[2], record[3], record[4]], ', '),
    country: countryCode(record[4]),
  }))
  const comments = await collect(parts.comments, 2, (record) => record[1] ?? '')
  let buffered: string[][] | null = []
  let list: ListId = 'us_ofac_sdn'
  const entities = function* (record: string[]): Generator<ListedEntity> {
    const uid = record[0] ?? ''
    const entity = toEntity(
      record,
      list,
      aliases.get(uid) ?? [],
      addresses.get(uid) ?? [],
      comments.get(uid) ?? [],
    )
    if (entity === null) countDropped(report, 'no_name')
    else yield entity
  }
  const flush = function* (): Generator<ListedEntity> {
    const first = buffered ?? []
    buffered = null
    list = listOf(first)
    report.list = list
    for (const record of first) yield* entities(record)
  }
  for await (const record of records(parts.main, mainColumns)) {
    report.entriesRead += 1
    if (buffered === null) yield* entities(record)
    else {
      buffered.push(record)
      if (buffered.length >= sampleSize) yield* flush()
    }
  }
  if (buffered !== null) yield* flush()
}

function listOf(records: readonly string[][]): ListId {
  return looksConsolidated(records.map((record) => programs(record[3]))) ? 'us_ofac_cons' : 'us_ofac_sdn'
}

function programs(text: string | undefined): string[] {
  return (cleanValue(text) ?? '').split(/\]\s*\[/).map((program) => program.replace(/[[\]]/g, '').trim())
}

async function* records(file: ListFile, columns: number): AsyncGenerator<string[]> {
  const encoding = await detectEncoding(file, await headOf(file, 512))
  let incomplete: string[] | null = null
  for await (const record of csvRecords(decodeStream(file.open(), encoding))) {
    if (incomplete !== null)
      throw new ListRejectedError('schema', `a record has ${incomplete.length} columns instead of ${columns}`)
    if (record.length < columns || !/^\d+$/.test(record[0]?.trim() ?? '')) incomplete = record
    else yield record
  }
  // An incomplete last record is the sign of an interrupted download.
  if (incomplete !== null) throw new ListRejectedError('truncated', 'the last record is incomplete')
}

async function collect<T>(
  file: ListFile | undefined,
  columns: number,
  value: (record: string[]) => T,
): Promise<Map<string, T[]>> {
  const byEntity = new Map<string, T[]>()
  if (file === undefined) return byEntity
  for await (const record of records(file, columns)) {
    const uid = record[0]?.trim() ?? ''
    const known = byEntity.get(uid)
    if (known === undefined) byEntity.set(uid, [value(record)])
    else known.push(value(record))
  }
  return byEntity
}

function toEntity(
  record: string[],
  list: ListId,
  aliases: readonly string[],
  addresses: readonly Address[],
  comments: readonly string[],
): ListedEntity | null {
  const uid = record[0]?.trim() ?? ''
  const type = ofacEntityType(record[2])
  const builder = new EntityBuilder(list, uid, type)
  const primary = ofacName(cleanValue(record[1]) ?? '', type)
  builder.addName(primary.full, 'primary', primary.parts)
  for (const alias of aliases) {
    const { full, parts } = ofacName(cleanValue(alias) ?? '', type)
    builder.addName(full, 'alias', parts)
  }
  for (const program of programs(record[3])) builder.addProgram(program)
  builder.addIdentifier('call_sign', record[5])
  for (const { text, country } of addresses) builder.addPlace('address', text, country)
  const remarks = cleanValue(`${record[11] ?? ''}${comments.join('')}`)
  if (remarks !== null) readOfacRemarks(builder, remarks)
  const title = cleanValue(record[4])
  if (title !== null) builder.addRemark(`Title: ${title}`)
  builder.addRemark(remarks)
  builder.sourceUrl = ofacSourceUrl(uid)
  return builder.build()
}
