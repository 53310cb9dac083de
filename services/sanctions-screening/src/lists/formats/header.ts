import { ListRejectedError } from '../../domain/lists/rejection.ts'
import { clean } from '../text/clean.ts'

/** Returns a field of one record by column name; empty when the record or the header lacks it. */
export type Row = (column: string) => string

/**
 * Reads records by the column names of the header, so that reordered or additional columns are accepted.
 * @throws ListRejectedError `schema` when a required column is missing, `truncated` for an incomplete record
 */
export function columnReader(
  header: readonly string[],
  required: readonly string[],
): (record: readonly string[]) => Row {
  const index = new Map<string, number>()
  header.forEach((name, i) => {
    const key = clean(name)?.toLowerCase()
    if (key !== undefined && !index.has(key)) index.set(key, i)
  })
  const missing = required.filter((name) => !index.has(name.toLowerCase()))
  if (missing.length > 0) throw new ListRejectedError('schema', `columns are missing: ${missing.join(', ')}`)
  const furthest = Math.max(...required.map((name) => index.get(name.toLowerCase()) ?? 0))
  return (record) => {
    if (record.length <= furthest)
      throw new ListRejectedError('truncated', 'a record ends before its required columns')
    return (column) => record[index.get(column.toLowerCase()) ?? -1] ?? ''
  }
}
