import type { ListedEntity, ListId } from '../domain/entity.ts'
import type { ListFile } from './source.ts'

export type FormatId =
  | 'ofac_csv'
  | 'ofac_xml'
  | 'ofac_advanced_xml'
  | 'un_xml'
  | 'eu_xml'
  | 'eu_csv'
  | 'uk_xml'
  | 'uk_csv'
  | 'uk_conlist_csv'
  | 'ch_xml'
  | 'ca_xml'
  | 'au_xlsx'

/** The part of a publication that a file contains. Only OFAC's CSV has several. */
export type PartName = 'main' | 'aliases' | 'addresses' | 'comments'

/** What a parser reports in addition to the entities. Complete once all entities have been read. */
export type ParseReport = {
  list: ListId | null
  /** RFC 3339 UTC; null when the file does not state it. */
  publishedAt: string | null
  /** The number of entries that the file declares. */
  declaredCount: number | null
  /** Entries read, including dropped ones. */
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
 * Streams the entities of a publication.
 * @throws ListRejectedError when the file as a whole cannot be trusted
 */
export type ListParser = (parts: ListParts, report: ParseReport) => AsyncGenerator<ListedEntity>
