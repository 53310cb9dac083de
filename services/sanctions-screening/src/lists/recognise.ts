import { parse } from 'csv-parse/sync'
import { ListRejectedError } from '../domain/lists/rejection.ts'
import { declaredEncoding } from './decode.ts'
import type { FormatId, PartName } from './format.ts'
import { headOf, type ListFile } from './source.ts'

type Recognition = {
  format: FormatId
  part: PartName
}

const headBytes = 64 * 1024

const formatOfRoot: Readonly<Record<string, FormatId>> = {
  sdnList: 'ofac_xml',
  Sanctions: 'ofac_advanced_xml',
  CONSOLIDATED_LIST: 'un_xml',
  export: 'eu_xml',
  Designations: 'uk_xml',
  'swiss-sanctions-list': 'ch_xml',
  'data-set': 'ca_xml',
}

/**
 * Recognises an official list file by its content alone, never by its name.
 * @throws ListRejectedError `empty`, `html`, `doctype`, `encoding`, `not_recognised`
 */
export async function recogniseFile(file: ListFile): Promise<Recognition> {
  const head = await headOf(file, headBytes)
  if (head.length === 0 || head.every((byte) => byte <= 0x20))
    throw new ListRejectedError('empty', 'the file is empty')
  if (head[0] === 0x50 && head[1] === 0x4b && head[2] === 0x03 && head[3] === 0x04)
    return recogniseArchive(head)
  const text = new TextDecoder(declaredEncoding(head) ?? 'utf-8').decode(head)
  return /^\s*</.test(text) ? recogniseXml(text) : recogniseDelimited(text, head.length === headBytes)
}

function recogniseArchive(head: Uint8Array): Recognition {
  const text = new TextDecoder('windows-1252').decode(head)
  if (!text.includes('[Content_Types].xml') && !text.includes('xl/')) {
    throw new ListRejectedError('not_recognised', 'the archive is not a workbook')
  }
  return { format: 'au_xlsx', part: 'main' }
}

function recogniseXml(text: string): Recognition {
  const body = text
    .replace(/^\s*<\?xml[^>]*\?>/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<\?[\s\S]*?\?>/g, '')
    .trimStart()
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(body))
    throw new ListRejectedError('html', 'the file is a web page')
  if (/^<!doctype/i.test(body))
    throw new ListRejectedError('doctype', 'the document contains a DTD, which no list uses')
  const root = body.match(/^<(?:[\w.-]+:)?([\w.-]+)/)?.[1]
  const format = root === undefined ? undefined : formatOfRoot[root]
  if (format === undefined)
    throw new ListRejectedError('not_recognised', 'the XML document is not a known list')
  if (format === 'eu_xml' && !/sanctionEntity|europa\.eu/.test(body))
    throw new ListRejectedError('not_recognised', 'the XML export is not the EU list')
  if (format === 'ca_xml' && !/<record>/.test(body))
    throw new ListRejectedError('not_recognised', 'the XML data set is not the Canadian list')
  return { format, part: 'main' }
}

function recogniseDelimited(text: string, cut: boolean): Recognition {
  const lines = text.split(/\r\n|\r|\n/)
  const [first = '', second = ''] = lines
  if (/^\ufeff?"?fileGenerationDate"?;/i.test(first)) return { format: 'eu_csv', part: 'main' }
  if (/^\ufeff?"?Report Date/i.test(first) && /Unique ID/i.test(second))
    return { format: 'uk_csv', part: 'main' }
  if (/^\ufeff?"?Last Updated"?,"?Unique ID/i.test(first)) return { format: 'uk_csv', part: 'main' }
  if (/^\ufeff?"?Last Updated/i.test(first) && /Name 6/.test(second) && /Group ID/.test(second))
    return { format: 'uk_conlist_csv', part: 'main' }
  if (/^\ufeff?"?Name 6"?,/.test(first) && /Group ID/.test(first))
    return { format: 'uk_conlist_csv', part: 'main' }
  const part = ofacPart(cut ? lines.slice(0, -1) : lines)
  if (part === null) throw new ListRejectedError('not_recognised', 'the file is not a known list')
  return { format: 'ofac_csv', part }
}

/** OFAC's CSV files have no header, so the number of columns and their content identify the part. */
function ofacPart(lines: readonly string[]): PartName | null {
  const sample = lines.filter((line) => line.trim() !== '' && line !== '\u001a').slice(0, 20)
  const records = readRecords(sample.join('\n'))
  const fits = (columns: number, test: (record: string[]) => boolean): boolean =>
    records.length > 0 &&
    records.every((record) => record.length === columns && isNumber(record[0]) && test(record))
  const kinds = new Set(['-0-', 'individual', 'vessel', 'aircraft', 'entity'])
  if (fits(12, (record) => kinds.has(record[2]?.trim().toLowerCase() ?? ''))) return 'main'
  if (fits(5, (record) => isNumber(record[1]) && /^[afn]\.?k\.?a\.?$/i.test(record[2]?.trim() ?? '')))
    return 'aliases'
  if (
    fits(6, (record) => isNumber(record[1])) &&
    records.some((record) => record.some((field) => field.trim() === '-0-'))
  )
    return 'addresses'
  if (fits(2, (record) => (record[1]?.trim().length ?? 0) > 1 && !isNumber(record[1]))) return 'comments'
  return null
}

function readRecords(text: string): string[][] {
  try {
    return parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true })
  } catch {
    return []
  }
}

function isNumber(text: string | undefined): boolean {
  return /^\s*\d+\s*$/.test(text ?? '')
}
