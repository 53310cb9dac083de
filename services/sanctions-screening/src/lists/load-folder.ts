import { readdir } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type { ListId } from '../domain/entity.ts'
import type { FormatId, ListParts, PartName } from './format.ts'
import { type LoadedList, loadList } from './load-list.ts'
import { recogniseFile } from './recognise.ts'
import { ListRejected, type RejectionCode } from './rejection.ts'
import { type ListFile, listFileOnDisk } from './source.ts'
import { isoDay } from './text/published-date.ts'

export interface RefusedFile {
  /** Path below the folder. */
  path: string
  code: RejectionCode
  message: string
}

export interface FolderLists {
  /** The newest publication of each list found. */
  lists: Map<ListId, LoadedList>
  /** Every file that serves no list, with its reason; `superseded` for whole ones that a newer publication outdoes. */
  refused: RefusedFile[]
}

interface FoundFile {
  path: string
  file: ListFile
  format: FormatId
  part: PartName
  /** `YYYY-MM-DD` from the file's or its folder's name, else from its modification time. */
  day: string
}

interface Publication {
  list: LoadedList
  files: FoundFile[]
  day: string
}

const maxDepth = 6

/**
 * Reads official list files from a folder and its sub-folders. Files are told by content; OFAC's delimited parts of one
 * folder belong together. Of several publications of a list the newest serves: by the date the file states, else the date
 * in its name or folder, else its modification time. Never throws for a file: each refused one leaves its reason.
 * @throws Error when the folder itself cannot be read
 */
export async function loadSanctionsFolder(directory: string, fetchedAt: string): Promise<FolderLists> {
  const refused: RefusedFile[] = []
  const found: FoundFile[] = []
  for (const path of await filesBelow(directory, 0)) {
    const shown = relative(directory, path)
    try {
      const file = await listFileOnDisk(path)
      const { format, part } = await recogniseFile(file)
      found.push({ path: shown, file, format, part, day: dayOf(shown, file) })
    } catch (error) {
      refused.push(refusal(shown, error))
    }
  }
  const publications: Publication[] = []
  for (const files of publicationsOf(found, refused)) {
    const [main] = files
    if (main === undefined) continue
    try {
      const list = await loadList(main.format, partsOf(files), fetchedAt)
      publications.push({ list: dated(list, main), files, day: list.published_at?.slice(0, 10) ?? main.day })
    } catch (error) {
      for (const { path } of files) refused.push(refusal(path, error))
    }
  }
  return { lists: newest(publications, refused), refused }
}

async function filesBelow(directory: string, depth: number): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const path = join(directory, entry.name)
    if (entry.isDirectory() && depth < maxDepth) paths.push(...(await filesBelow(path, depth + 1)))
    else if (!entry.isDirectory()) paths.push(path)
  }
  return paths
}

/** A publication is one main file; OFAC's other parts join the main file of their folder. The main file comes first. */
function publicationsOf(found: readonly FoundFile[], refused: RefusedFile[]): FoundFile[][] {
  const mains = found.filter((file) => file.part === 'main')
  const publications = new Map(mains.map((main) => [main, [main]]))
  const unused = new Set(found.filter((file) => file.part !== 'main'))
  for (const main of mains) {
    if (main.format !== 'ofac_csv') continue
    for (const part of ['aliases', 'addresses', 'comments'] as const) {
      const candidates = [...unused].filter(
        (file) => file.part === part && folderOf(file) === folderOf(main) && family(file) === family(main),
      )
      const chosen = nearest(candidates, main.day)
      if (chosen === undefined) continue
      publications.get(main)?.push(chosen)
      unused.delete(chosen)
    }
  }
  for (const file of unused) {
    const other = mains.some((main) => main.format === 'ofac_csv' && folderOf(main) === folderOf(file))
    refused.push({
      path: file.path,
      code: other ? 'superseded' : 'missing_part',
      message: other
        ? 'another file of this part is nearer to the main file'
        : 'a part of a list whose main file is not in this folder',
    })
  }
  return [...publications.values()]
}

function folderOf(file: FoundFile): string {
  return file.path.slice(0, -basename(file.path).length)
}

/** OFAC's two delimited publications may lie in one folder: the parts of one are called `cons_...`. */
function family(file: FoundFile): 'cons' | 'sdn' {
  return /cons/i.test(basename(file.path)) ? 'cons' : 'sdn'
}

function nearest(files: readonly FoundFile[], day: string): FoundFile | undefined {
  const distance = (file: FoundFile): number => Math.abs(Date.parse(file.day) - Date.parse(day))
  return [...files].sort((a, b) => distance(a) - distance(b) || (a.day < b.day ? 1 : -1))[0]
}

function partsOf(files: readonly FoundFile[]): ListParts {
  const [main, ...others] = files
  if (main === undefined) throw new Error('a publication has no main file')
  const parts: ListParts = { main: main.file }
  for (const { part, file } of others) parts[part] = file
  return parts
}

/** OFAC's CSV states no date: its version carries the one found in its name or folder. */
function dated(list: LoadedList, main: FoundFile): LoadedList {
  if (list.published_at !== null) return list
  return { ...list, published_at: `${main.day}T00:00:00Z`, version: `${main.day}.${list.version}` }
}

function newest(publications: readonly Publication[], refused: RefusedFile[]): Map<ListId, LoadedList> {
  const best = new Map<ListId, Publication>()
  for (const publication of publications) {
    const known = best.get(publication.list.id)
    if (known === undefined) {
      best.set(publication.list.id, publication)
      continue
    }
    const [winner, loser] = isNewer(publication, known) ? [publication, known] : [known, publication]
    best.set(winner.list.id, winner)
    for (const { path } of loser.files) {
      refused.push({
        path,
        code: 'superseded',
        message: `${winner.files[0]?.path} is the newer publication of ${winner.list.id}`,
      })
    }
  }
  return new Map([...best].map(([id, publication]) => [id, publication.list]))
}

/** In one folder the XML and the CSV are one publication, and the XML says more. */
function isNewer(a: Publication, b: Publication): boolean {
  const [first, second] = [a.files[0], b.files[0]]
  if (first !== undefined && second !== undefined && folderOf(first) === folderOf(second)) {
    if (first.format !== second.format && (first.format === 'ofac_csv' || second.format === 'ofac_csv'))
      return second.format === 'ofac_csv'
  }
  if (a.day !== b.day) return a.day > b.day
  return a.list.entities.length > b.list.entities.length
}

function dayOf(path: string, file: ListFile): string {
  const parts = path.split(/[\\/]/).reverse()
  for (const part of parts) {
    const found = part.match(/(?<!\d)(20\d{2})[-_.]?(0[1-9]|1[0-2])(?:[-_.]?([0-2]\d|3[01]))?(?!\d)/)
    const day = found ? isoDay(Number(found[1]), Number(found[2]), Number(found[3] ?? 1)) : null
    if (day !== null) return day
  }
  return file.modifiedAt.toISOString().slice(0, 10)
}

function refusal(path: string, error: unknown): RefusedFile {
  if (error instanceof ListRejected) return { path, code: error.code, message: error.message }
  return {
    path,
    code: 'unreadable',
    message: error instanceof Error ? error.message : 'the file cannot be read',
  }
}
