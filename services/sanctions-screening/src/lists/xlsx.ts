import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { ListRejectedError } from '../domain/lists/rejection.ts'
import { decodeStream } from './decode.ts'
import type { ListFile } from './source.ts'
import { child, descend, type XmlElement, xmlRecords } from './xml.ts'

const maxArchiveBytes = 64 * 1024 * 1024
/** Limit of the uncompressed size of one part, against decompression bombs. */
const maxPartBytes = 512 * 1024 * 1024
const maxEntries = 1_000

/**
 * Streams the rows of a workbook's first sheet as text by column letter (ECMA-376, SpreadsheetML). A number is
 * returned as stored, so a date is a serial number. The shared strings are buffered, the sheet is not.
 * @throws ListRejectedError `too_large`, `archive`, and the errors of xmlRecords
 */
export async function* xlsxRows(file: ListFile): AsyncGenerator<Map<string, string>> {
  if (file.size > maxArchiveBytes) throw new ListRejectedError('too_large', 'the workbook is too large')
  const archive = await openArchive(await buffer(Readable.from(file.open())))
  try {
    const entries = await listEntries(archive)
    const strings = await sharedStrings(archive, entries.get('xl/sharedStrings.xml'))
    const sheet = entries.get('xl/worksheets/sheet1.xml')
    if (sheet === undefined) throw new ListRejectedError('schema', 'the workbook has no first sheet')
    for await (const row of records(archive, sheet, 'row')) yield cells(row, strings)
  } finally {
    archive.close()
  }
}

function openArchive(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, autoClose: false }, (error, archive) => {
      if (error)
        reject(
          new ListRejectedError('archive', `the workbook is not a readable archive: ${error.message}`, {
            cause: error,
          }),
        )
      else resolve(archive)
    })
  })
}

function listEntries(archive: ZipFile): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>()
    archive.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry)
      if (entries.size > maxEntries)
        reject(new ListRejectedError('archive', 'the workbook has too many parts'))
      else archive.readEntry()
    })
    archive.on('end', () => resolve(entries))
    archive.on('error', (error: Error) =>
      reject(new ListRejectedError('archive', `the archive is damaged: ${error.message}`, { cause: error })),
    )
    archive.readEntry()
  })
}

function openPart(archive: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.uncompressedSize > maxPartBytes)
    throw new ListRejectedError('archive', 'a part of the workbook is too large when decompressed')
  return new Promise((resolve, reject) => {
    archive.openReadStream(entry, (error, stream) => {
      if (error)
        reject(
          new ListRejectedError('archive', `a part of the workbook is not readable: ${error.message}`, {
            cause: error,
          }),
        )
      else resolve(stream)
    })
  })
}

async function* records(archive: ZipFile, entry: Entry, name: string): AsyncGenerator<XmlElement> {
  const part = await openPart(archive, entry)
  try {
    yield* xmlRecords(decodeStream(part, 'utf-8'), new Set([name]), () => {})
  } catch (error) {
    if (error instanceof ListRejectedError) throw error
    throw new ListRejectedError('archive', 'the workbook is damaged', { cause: error })
  } finally {
    part.destroy()
  }
}

async function sharedStrings(archive: ZipFile, entry: Entry | undefined): Promise<string[]> {
  const strings: string[] = []
  if (entry === undefined) return strings
  for await (const item of records(archive, entry, 'si')) strings.push(richText(item))
  return strings
}

/** Joins plain text and formatted runs. Phonetic hints (`rPh`) are not part of the text. */
function richText(item: XmlElement): string {
  return [...descend(item, 't'), ...descend(item, 'r', 't')].map((text) => text.text).join('')
}

function cells(row: XmlElement, strings: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  for (const cell of row.children) {
    if (cell.name !== 'c' || cell.children.length === 0) continue
    const column = cell.attributes.r?.match(/^[A-Z]+/)?.[0]
    const value = cellText(cell, strings)
    if (column !== undefined && value !== '') values.set(column, value)
  }
  return values
}

function cellText(cell: XmlElement, strings: readonly string[]): string {
  const inline = child(cell, 'is')
  if (inline !== undefined) return richText(inline)
  const raw = child(cell, 'v')?.text ?? ''
  return cell.attributes.t === 's' ? (strings[Number(raw)] ?? '') : raw
}
