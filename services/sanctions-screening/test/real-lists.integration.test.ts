import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { sharedDir } from '@kyc/testing'
import type { ListedEntity, ListId } from '../src/domain/entity.ts'
import { listDelta } from '../src/domain/lists/list-delta.ts'
import type { FormatId } from '../src/lists/format.ts'
import { loadSanctionsFolder } from '../src/lists/load-folder.ts'
import { type LoadedList, loadList } from '../src/lists/load-list.ts'
import { listFileOnDisk } from '../src/lists/source.ts'

const lists = sharedDir('data', 'sanctions', 'lists')
if (lists === null) process.stderr.write('skipped: the published sanctions lists are not available\n')
const whenPresent = lists === null ? describe.skip : describe
const path = (...parts: string[]): string => join(lists ?? '', ...parts)

async function read(
  format: FormatId,
  main: string,
  aliases?: string,
  addresses?: string,
): Promise<LoadedList> {
  const open = async (file: string | undefined) =>
    file === undefined ? undefined : await listFileOnDisk(path(file))
  const [first, second, third] = [
    await listFileOnDisk(path(main)),
    await open(aliases),
    await open(addresses),
  ]
  return loadList(
    format,
    { main: first, ...(second && { aliases: second }), ...(third && { addresses: third }) },
    '2026-01-01T00:00:00Z',
  )
}

/** Extracts ids from the text independently of the parser under test. */
async function numbersIn(file: string, pattern: RegExp): Promise<Set<string>> {
  const text = await readFile(path(file), 'utf8')
  return new Set(Array.from(text.matchAll(pattern), (found) => (found[1] ?? '').trim()))
}

function without(set: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...set].filter((item) => !other.has(item)).sort()
}

whenPresent('published lists', () => {
  test('the delta of two UN publications contains exactly the ids that the files added and removed', async () => {
    const [older, newer] = await Promise.all([
      read('un_xml', 'un/un_consolidated_2025-04-19.xml'),
      read('un_xml', 'un/un_consolidated_2026-02-27.xml'),
    ])
    const pattern = /<REFERENCE_NUMBER>([^<]+)</g
    const [before, after] = await Promise.all([
      numbersIn('un/un_consolidated_2025-04-19.xml', pattern),
      numbersIn('un/un_consolidated_2026-02-27.xml', pattern),
    ])
    const delta = listDelta(older.entities, newer.entities)
    expect(delta.added.sort()).toEqual(without(after, before))
    expect(delta.removed.sort()).toEqual(without(before, after))
    expect(delta.changed.length).toBeGreaterThan(0)
    expect(delta.changed.every((id) => before.has(id) && after.has(id))).toBe(true)
  })

  test('the delta of two OFAC publications contains exactly the ids that the files added and removed', async () => {
    const older = await read('ofac_csv', 'ofac_2022-01/sdn.csv', 'ofac_2022-01/alt.csv')
    const newer = await read('ofac_csv', 'ofac_2024-05-03/sdn.csv', 'ofac_2024-05-03/alt_2025-02-27.csv')
    const pattern = /^(\d+),/gm
    const [before, after] = await Promise.all([
      numbersIn('ofac_2022-01/sdn.csv', pattern),
      numbersIn('ofac_2024-05-03/sdn.csv', pattern),
    ])
    const delta = listDelta(older.entities, newer.entities)
    expect(delta.added.sort()).toEqual(without(after, before))
    expect(delta.removed.sort()).toEqual(without(before, after))
  })

  test('every list of the folder is read completely, and other or older files are reported', async () => {
    const { lists: loaded, rejected } = await loadSanctionsFolder(path(), new Date('2026-12-01'))
    const counts: [ListId, number][] = Array.from(loaded, ([id, list]) => [id, list.entities.length])
    expect(new Map(counts)).toEqual(
      new Map([
        ['us_ofac_sdn', 14_965],
        ['us_ofac_cons', 443],
        ['un_sc', 1_003],
        ['uk_sanctions', 4_688],
        ['ca_sema', 4_759],
        ['au_dfat', 3_062],
      ]),
    )
    expect(new Set(rejected.map(({ code }) => code))).toEqual(
      new Set(['superseded', 'not_recognised', 'schema']),
    )
    const all: ListedEntity[] = [...loaded.values()].flatMap((list) => list.entities)
    const people = all.filter((entity) => entity.type === 'person')
    expect(people.length).toBeGreaterThan(16_000)
    expect(
      people.filter((person) => person.dates_of_birth.length > 0).length / people.length,
    ).toBeGreaterThan(0.8)
    expect(all.every((entity) => entity.names[0]?.quality === 'primary')).toBe(true)
    expect(
      all.filter((entity) => entity.names.some((name) => name.script !== undefined)).length,
    ).toBeGreaterThan(5_000)
  })
})
