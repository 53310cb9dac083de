import { Readable } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { ListRejectedError } from '../domain/lists/rejection.ts'

/** Longest record of a list, in characters. */
const maxRecordSize = 1_000_000
const endOfFileMark = String.fromCharCode(0x1a)

/**
 * Streams the records of a delimited file. Removes the 0x1A character that ends OFAC's files (an old end-of-file mark).
 * @throws ListRejectedError `truncated` (an unclosed quotation), `not_well_formed`
 */
export async function* csvRecords(
  text: AsyncIterable<string>,
  delimiter: ',' | ';' = ',',
): AsyncGenerator<string[]> {
  const options: Options<string[]> = {
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRecordSize,
  }
  const parser = Readable.from(withoutEndMark(text)).compose(parse(options))
  try {
    for await (const record of parser) {
      if (isRecord(record) && record.some((field) => field !== '')) yield record
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const code = error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'truncated' : 'not_well_formed'
    throw new ListRejectedError(code, `the file is not valid delimited text: ${error.code}`, {
      cause: error,
    })
  }
}

async function* withoutEndMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const text = piece.replaceAll(endOfFileMark, '')
    if (text !== '') yield text
  }
}

function isRecord(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((field) => typeof field === 'string')
}
