import type { ListedEntity, ListId } from '../domain/entity.ts'
import type { ListFile } from './source.ts'

export const formatIds = [
  'ofac_csv',
  'ofac_xml',
  'ofac_advanced_xml',
  'un_xml',
  'eu_xml',
  'eu_csv',
  'uk_xml',
  'uk_csv',
  'uk_conlist_csv',
  'ch_xml',
  'ca_xml',
  'au_xlsx',
] as const
export type FormatId = (typeof formatIds)[number]

/** Which part of a publication a file is; only OFAC's CSV comes in several. */
export type PartName = 'main' | 'aliases' | 'addresses' | 'comments'

/** What a parser learns beside the entities. It is complete when the entities have been read to the end. */
export type ParseReport = {
  list: ListId | null
  /** RFC 3339 UTC, as the file states it. */
  publishedAt: string | null
  /** The number of entries the file claims to hold. */
  declaredCount: number | null
  /** Entries read, with those that were dropped. */
  entriesRead: number
  /** Entries dropped, by reason. */
  dropped: Map<string, number>
}

export function newParseReport(): ParseReport {
  return { list: null, publishedAt: null, declaredCount: null, entriesRead: 0, dropped: new Map() }
}

export function countDropped(report: ParseReport, reason: string): void {
  report.dropped.set(reason, (report.dropped.get(reason) ?? 0) + 1)
}

/** The files of one publication. */
export type ListParts = Partial<Record<PartName, ListFile>> & { main: ListFile }

/**
 * Reads a publication as a stream of entities.
 * @throws ListRejected when the file as a whole cannot be trusted
 */
export type ListParser = (parts: ListParts, report: ParseReport) => AsyncGenerator<ListedEntity>
