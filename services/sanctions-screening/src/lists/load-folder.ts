import type { KeyObject } from 'node:crypto'
import type { ListId } from '../domain/entity.ts'
import { checkPublished } from '../domain/lists/check-replacement.ts'
import { ListRejectedError } from '../domain/lists/rejection.ts'
import {
  type FoundFile,
  findListFiles,
  groupPublications,
  partsOf,
  type RejectedFile,
  rejectedFile,
} from './folder-files.ts'
import { newParseReport } from './format.ts'
import { type LoadedList, loadList } from './load-list.ts'
import { parsers } from './parsers.ts'
import { readSignedChecksums, verifyChecksum } from './signed-pack.ts'
import { headOf, type ListFile, listFileInMemory } from './source.ts'

export type FolderLists = {
  /** The newest complete publication of each list. */
  lists: Map<ListId, LoadedList>
  /** Every file that was not used, with the reason: `superseded` when a newer publication was used. */
  rejected: RejectedFile[]
}

type Candidate = {
  list: ListId
  main: FoundFile
  files: FoundFile[]
  day: string
  /** Set when the list could only be determined by loading the complete file. */
  loaded?: LoadedList
}

const headBytes = 256 * 1024

/**
 * Loads the newest complete publication of each list from a folder and its sub-folders. The date of a publication is
 * the one stated in the file or, failing that, the date in its name or folder or its modification time. A file that
 * cannot be used is reported in `rejected`. With `packKey`, only files signed with that key are read.
 * @throws Error when the folder itself cannot be read
 */
export async function loadSanctionsFolder(
  directory: string,
  now: Date,
  packKey: KeyObject | null = null,
): Promise<FolderLists> {
  const rejected: RejectedFile[] = []
  const present = await findListFiles(directory, rejected)
  const candidateFiles = packKey === null ? present : await keepSigned(directory, packKey, present, rejected)
  const candidates: Candidate[] = []
  for (const files of groupPublications(candidateFiles, rejected)) {
    try {
      candidates.push(await candidateOf(files, now))
    } catch (error) {
      for (const { path } of files) rejected.push(rejectedFile(path, error))
    }
  }
  const lists = new Map<ListId, LoadedList>()
  for (const candidate of candidates.sort(newerFirst)) {
    const newest = lists.get(candidate.list)
    if (newest !== undefined) {
      const message = `a newer publication of ${candidate.list} is used`
      for (const { path } of candidate.files) rejected.push({ path, code: 'superseded', message })
      continue
    }
    try {
      const list = candidate.loaded ?? (await loadCandidate(candidate, now))
      lists.set(list.id, list)
    } catch (error) {
      for (const { path } of candidate.files) rejected.push(rejectedFile(path, error))
    }
  }
  return { lists, rejected }
}

async function keepSigned(
  directory: string,
  key: KeyObject,
  present: readonly FoundFile[],
  rejected: RejectedFile[],
): Promise<FoundFile[]> {
  const signed: FoundFile[] = []
  const checksums = readSignedChecksums(directory, key)
  for (const file of present) {
    try {
      await verifyChecksum(file, await checksums)
      signed.push(file)
    } catch (error) {
      rejected.push(rejectedFile(file.path, error))
    }
  }
  await checksums.catch(() => undefined)
  return signed
}

async function candidateOf(files: FoundFile[], now: Date): Promise<Candidate> {
  const [main] = files
  if (main === undefined) throw new Error('a publication has no files')
  const { list, publishedAt } = await peek(main)
  if (list !== null) return { list, main, files, day: publishedAt?.slice(0, 10) ?? main.day }
  const loaded = await loadPublication(main, files, now)
  return { list: loaded.id, main, files, day: loaded.published_at?.slice(0, 10) ?? main.day, loaded }
}

async function loadCandidate({ list: id, main, files }: Candidate, now: Date): Promise<LoadedList> {
  const list = await loadPublication(main, files, now)
  if (list.id !== id)
    throw new ListRejectedError(
      'wrong_list',
      `the beginning of the file identifies it as ${id}, its content as ${list.id}`,
    )
  return list
}

async function loadPublication(main: FoundFile, files: FoundFile[], now: Date): Promise<LoadedList> {
  const loaded = await loadList(main.format, partsOf(files), `${now.toISOString().slice(0, 19)}Z`)
  checkPublished(loaded, now)
  return withPublicationDay(loaded, main)
}

/** OFAC's CSV states no date, so the date from its name or folder is used. */
function withPublicationDay(list: LoadedList, main: FoundFile): LoadedList {
  if (list.published_at !== null) return list
  return { ...list, published_at: `${main.day}T00:00:00Z`, version: `${main.day}.${list.version}` }
}

/** OFAC's XML and CSV in one folder are the same publication. The XML contains more data, so it is preferred. */
function newerFirst(a: Candidate, b: Candidate): number {
  if (a.list === b.list && a.main.folder === b.main.folder && a.main.format !== b.main.format) {
    if (a.main.format === 'ofac_csv') return 1
    if (b.main.format === 'ofac_csv') return -1
  }
  return a.day === b.day ? 0 : a.day > b.day ? -1 : 1
}

/**
 * Reads the list id and publication date from the beginning of a file, so that only the newest publication is read
 * completely.
 */
async function peek({
  file,
  format,
}: FoundFile): Promise<{ list: ListId | null; publishedAt: string | null }> {
  // A workbook cannot be read in part, and only one list is published as a workbook.
  if (format === 'au_xlsx') return { list: 'au_dfat', publishedAt: null }
  const report = newParseReport()
  try {
    for await (const _entity of parsers[format]({ main: await beginning(file) }, report)) break
  } catch (error) {
    // The truncated beginning is expected to fail. The report is valid up to that point, and the complete file is
    // checked later.
    if (!(error instanceof ListRejectedError)) throw error
  }
  return { list: report.list, publishedAt: report.publishedAt }
}

async function beginning(file: ListFile): Promise<ListFile> {
  if (file.size <= headBytes) return file
  return listFileInMemory(file.name, await headOf(file, headBytes), file.modifiedAt)
}
