import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { ListRejectedError, type RejectionCode } from '../domain/lists/rejection.ts'
import type { FormatId, ListParts, PartName } from './format.ts'
import { recogniseFile } from './recognise.ts'
import { checksumsFile, signatureFile } from './signed-pack.ts'
import { type ListFile, listFileOnDisk } from './source.ts'
import { isoDay } from './text/published-date.ts'

export type RejectedFile = {
  /** Path below the folder. */
  path: string
  code: RejectionCode
  message: string
}

export type FoundFile = {
  /** Path below the folder. */
  path: string
  folder: string
  file: ListFile
  format: FormatId
  part: PartName
  /** Publication date (`YYYY-MM-DD`) from the name of the file or its folder, or from the modification time. */
  day: string
}

const maxDepth = 6

/** Every file of the folder and its sub-folders that is a list or part of one, recognised by content. */
export async function findListFiles(directory: string, rejected: RejectedFile[]): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const path of await listFilesBelow(directory, 0)) {
    const relativePath = relative(directory, path)
    if (relativePath === checksumsFile || relativePath === signatureFile) continue
    try {
      const file = await listFileOnDisk(path)
      const { format, part } = await recogniseFile(file)
      found.push({
        path: relativePath,
        folder: dirname(relativePath),
        file,
        format,
        part,
        day: publicationDayOf(relativePath, file),
      })
    } catch (error) {
      rejected.push(rejectedFile(relativePath, error))
    }
  }
  return found
}

export function rejectedFile(path: string, error: unknown): RejectedFile {
  if (error instanceof ListRejectedError) return { path, code: error.code, message: error.message }
  return {
    path,
    code: 'unreadable',
    message: error instanceof Error ? error.message : 'the file cannot be read',
  }
}

/**
 * Groups files into publications, each with its main file first: a single file, or the parts of OFAC's CSV in one
 * folder. When a folder contains several files for a part, the one published closest to the main file is used.
 */
export function groupPublications(found: readonly FoundFile[], rejected: RejectedFile[]): FoundFile[][] {
  const mains = found.filter((file) => file.part === 'main')
  const unused = new Set(found.filter((file) => file.part !== 'main'))
  const publications = mains.map((main) => {
    const files = [main]
    if (main.format !== 'ofac_csv') return files
    for (const part of ['aliases', 'addresses', 'comments'] as const) {
      const chosen = nearest(
        [...unused].filter((file) => file.part === part && belongsTo(file, main)),
        main.day,
      )
      if (chosen === undefined) continue
      files.push(chosen)
      unused.delete(chosen)
    }
    return files
  })
  for (const { path, folder } of unused) {
    const chosen = mains.some((main) => main.format === 'ofac_csv' && main.folder === folder)
    rejected.push(
      chosen
        ? {
            path,
            code: 'superseded',
            message: 'another file for this part was published closer to the main file',
          }
        : {
            path,
            code: 'missing_part',
            message: 'this is part of a list whose main file is not in the same folder',
          },
    )
  }
  return publications
}

export function partsOf(files: readonly FoundFile[]): ListParts {
  const main = files.find((file) => file.part === 'main')
  if (main === undefined) throw new Error('a publication has no main file')
  const parts: ListParts = { main: main.file }
  for (const { part, file } of files) parts[part] = file
  return parts
}

async function listFilesBelow(directory: string, depth: number): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(directory, entry.name)
    if (entry.isDirectory() && depth < maxDepth) paths.push(...(await listFilesBelow(path, depth + 1)))
    else if (!entry.isDirectory()) paths.push(path)
  }
  return paths
}

/** OFAC's two CSV publications can share a folder: the files of the consolidated list are named `cons_...`. */
function belongsTo(file: FoundFile, main: FoundFile): boolean {
  const isConsolidated = ({ path }: FoundFile): boolean => /cons/i.test(basename(path))
  return file.folder === main.folder && isConsolidated(file) === isConsolidated(main)
}

function nearest(files: readonly FoundFile[], day: string): FoundFile | undefined {
  const distance = (file: FoundFile): number => Math.abs(Date.parse(file.day) - Date.parse(day))
  return [...files].sort((a, b) => distance(a) - distance(b) || (a.day < b.day ? 1 : -1))[0]
}

function publicationDayOf(path: string, file: ListFile): string {
  for (const part of path.split(/[\\/]/).reverse()) {
    const found = part.match(/(?<!\d)(20\d{2})[-_.]?(0[1-9]|1[0-2])(?:[-_.]?([0-2]\d|3[01]))?(?!\d)/)
    const day = found ? isoDay(Number(found[1]), Number(found[2]), Number(found[3] ?? 1)) : null
    if (day !== null) return day
  }
  return file.modifiedAt.toISOString().slice(0, 10)
}
