import type {
  EntityType,
  ListedEntity,
  ListedName,
  SanctionsList,
} from '../../../services/sanctions-screening/src/domain/entity.ts'
import { loadList } from '../../../services/sanctions-screening/src/lists/load-list.ts'
import { listFileOnDisk } from '../../../services/sanctions-screening/src/lists/source.ts'

const now = '2026-01-01T00:00:00Z'

/**
 * The lists that the truth set's ids refer to, parsed by the service's own parsers. `folder` contains the official
 * files.
 */
export async function truthLists(folder: string): Promise<SanctionsList[]> {
  const file = (path: string) => listFileOnDisk(`${folder}/${path}`)
  const sdn = await loadList(
    'ofac_csv',
    {
      main: await file('ofac_2024-05-03/sdn.csv'),
      aliases: await file('ofac_2024-05-03/alt_2025-02-27.csv'),
    },
    now,
  )
  const un = await loadList('un_xml', { main: await file('un/un_consolidated_2026-02-27.xml') }, now)
  return [sdn, un]
}

/** A list of one name, for a labelled pair. */
export function listOfOne(full: string, type: EntityType): SanctionsList {
  return {
    id: 'un_sc',
    version: 'pair',
    fetched_at: now,
    published_at: null,
    entities: [
      {
        list: 'un_sc',
        id: '1',
        type,
        names: [{ full, quality: 'primary' }],
        dates_of_birth: [],
        nationalities: [],
        places: [],
        identifiers: [],
        programs: [],
        listed_on: null,
        remarks: null,
        source_url: null,
      },
    ],
  }
}

/**
 * The lists repeated `times` times: the first unchanged; in the others the words of every name are swapped with
 * those of other names in the same position, and a letter is changed in every fourth word, so that the vocabulary
 * grows like that of real lists.
 */
export function multiplyLists(lists: readonly SanctionsList[], times: number): SanctionsList[] {
  return lists.map((list) => {
    const entities: ListedEntity[] = [...list.entities]
    for (let copy = 1; copy < times; copy++) {
      list.entities.forEach((entity, at) => {
        const other = list.entities[(at * 31 + copy * 977) % list.entities.length]!
        const mixed = (name: ListedName, ordinal: number): ListedName => ({
          quality: name.quality,
          full: mixNames(name.full, other.names[ordinal % other.names.length]!.full, at + copy),
        })
        entities.push({ ...entity, id: `${entity.id}-${copy}`, names: entity.names.map(mixed) })
      })
    }
    return { ...list, entities }
  })
}

function mixNames(name: string, other: string, seed: number): string {
  const others = other.split(' ')
  return name
    .split(' ')
    .map((word, at) => (at % 2 === 1 ? (others[at % others.length] ?? word) : word))
    .map((word, at) => ((seed + at) % 4 === 0 && word.length > 4 ? changeLetter(word, seed) : word))
    .join(' ')
}

function changeLetter(word: string, seed: number): string {
  const at = 1 + (seed % (word.length - 2))
  return `${word.slice(0, at)}${'aeioulnrst'[seed % 10]}${word.slice(at + 1)}`
}
