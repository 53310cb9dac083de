import { createHash } from 'node:crypto'
import type { ListedEntity, SanctionsList } from '../domain/entity.ts'
import { ListRejectedError } from '../domain/lists/rejection.ts'
import { type FormatId, type ListParts, newParseReport, type ParseReport } from './format.ts'
import { parsers } from './parsers.ts'

export type LoadedList = SanctionsList & {
  format: FormatId
  report: ParseReport
}

/** Limits that a valid file stays below: published lists contain no unreadable or repeated entries. */
const maxDroppedShare = 0.02
const maxRepeatedShare = 0.01
const maxDamagedShare = 0.01
/** Largest accepted difference from the number of entries that the file declares. */
const maxCountDifference = 0.01

/**
 * Reads a publication and checks that it is complete: it has entries, they are readable and not repeated, and their
 * number is the declared one. `checkReplacement` compares it with the previous version.
 * @throws ListRejectedError
 */
export async function loadList(format: FormatId, parts: ListParts, fetchedAt: string): Promise<LoadedList> {
  const report = newParseReport()
  const byId = new Map<string, ListedEntity>()
  const hash = createHash('sha256')
  let repeated = 0
  let damaged = 0
  for await (const entity of parsers[format](parts, report)) {
    if (byId.has(entity.id)) {
      repeated += 1
      continue
    }
    if (entity.names.some((name) => name.full.includes('\ufffd'))) damaged += 1
    const text = JSON.stringify(entity)
    hash.update(text)
    // Copied through JSON: substrings of the file would retain its chunks in memory as long as the entity exists.
    byId.set(entity.id, JSON.parse(text) as ListedEntity)
  }
  if (byId.size === 0 || report.list === null)
    throw new ListRejectedError('no_entities', 'the file contains no entries')
  checkComplete(report, byId.size, repeated, damaged)
  const content = hash.digest('hex').slice(0, 12)
  return {
    id: report.list,
    version: report.publishedAt === null ? content : `${report.publishedAt.slice(0, 10)}.${content}`,
    fetched_at: fetchedAt,
    published_at: report.publishedAt,
    entities: [...byId.values()],
    format,
    report,
  }
}

function checkComplete(report: ParseReport, entityCount: number, repeated: number, damaged: number): void {
  const { declaredCount, entriesRead } = report
  if (
    declaredCount !== null &&
    Math.abs(entriesRead - declaredCount) > Math.max(1, declaredCount * maxCountDifference)
  ) {
    throw new ListRejectedError(
      'count_mismatch',
      `the file declares ${declaredCount} entries and contains ${entriesRead}`,
    )
  }
  // Delisted entries are dropped on purpose; every other dropped entry is a defect.
  const defects = [...report.dropped]
    .filter(([reason]) => reason !== 'de_listed')
    .reduce((sum, [, count]) => sum + count, 0)
  if (defects > entriesRead * maxDroppedShare) {
    throw new ListRejectedError('too_many_unreadable', `${defects} of ${entriesRead} entries are unreadable`)
  }
  if (repeated > 1 && repeated > entriesRead * maxRepeatedShare) {
    throw new ListRejectedError('duplicate_ids', `${repeated} of ${entriesRead} entries repeat an id`)
  }
  if (damaged > entityCount * maxDamagedShare) {
    throw new ListRejectedError(
      'encoding',
      `${damaged} of ${entityCount} entries contain replacement characters from a failed conversion`,
    )
  }
}
