import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { altCsv, manySdnCsv, sdnAdvancedXml, sdnCsv, sdnXml } from '../../test/fixtures/ofac.ts'
import { conListCsv, ukXml } from '../../test/fixtures/uk.ts'
import { manyUnXml, unXml } from '../../test/fixtures/un.ts'
import { folderFingerprint } from './folder-fingerprint.ts'
import { loadSanctionsFolder } from './load-folder.ts'

const now = new Date('2026-03-01T12:00:00Z')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-folder-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function put(path: string, content: string, modified = '2026-01-01'): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
  await utimes(join(folder, path), new Date(modified), new Date(modified))
}

async function load() {
  const { lists, rejected } = await loadSanctionsFolder(folder, now)
  return { lists, reasons: Object.fromEntries(rejected.map(({ path, code }) => [path, code])) }
}

describe('a folder of list files', () => {
  test('is searched in every sub-folder, whatever the files are called', async () => {
    await put('a/b/c/file.bin', unXml)
    await put('x', sdnCsv)
    await put('notes/README.md', '# notes')
    await put('.hidden', unXml)
    const { lists, reasons } = await load()
    expect([...lists.keys()].sort()).toEqual(['un_sc', 'us_ofac_sdn'])
    expect(reasons).toEqual({ 'notes/README.md': 'not_recognised' })
  })

  test('serves the newest publication by the date in the file', async () => {
    await put('z/un.xml', manyUnXml(10, '2025-01-01'), '2026-02-01')
    await put('a/un.xml', manyUnXml(12, '2025-06-01'), '2025-06-01')
    const { lists, reasons } = await load()
    expect(lists.get('un_sc')?.entities).toHaveLength(12)
    expect(reasons).toEqual({ 'z/un.xml': 'superseded' })
  })

  test('takes a date in the name or folder for files that state none, else their modification time', async () => {
    await put('ofac_2024-05-03/sdn.csv', manySdnCsv(70), '2026-02-01')
    await put('ofac_2022-01/sdn.csv', manySdnCsv(80), '2026-02-02')
    expect((await load()).lists.get('us_ofac_sdn')).toMatchObject({ published_at: '2024-05-03T00:00:00Z' })
    await put('fresh/sdn.csv', manySdnCsv(90), '2025-02-02')
    expect((await load()).lists.get('us_ofac_sdn')).toMatchObject({ published_at: '2025-02-02T00:00:00Z' })
  })

  test('joins the parts of one folder, and of two alias files the nearer one', async () => {
    await put('ofac_2024-05-03/sdn.csv', sdnCsv)
    await put('ofac_2024-05-03/alt_2025-02-27.csv', altCsv)
    await put('ofac_2024-05-03/alt_2026-03-01.csv', altCsv.replace('Velmour', 'Other'))
    await put('elsewhere/alt.csv', altCsv)
    const { lists, reasons } = await load()
    const names = lists.get('us_ofac_sdn')?.entities[0]?.names.map((name) => name.full)
    expect(names).toContain('Velmour TARSIDYAN')
    expect(names).not.toContain('Other TARSIDYAN')
    expect(reasons).toEqual({
      'elsewhere/alt.csv': 'missing_part',
      'ofac_2024-05-03/alt_2026-03-01.csv': 'superseded',
    })
  })

  test('of one folder the XML serves and not the CSV, which says less', async () => {
    await put('ofac/sdn.csv', sdnCsv, '2026-02-20')
    await put('ofac/sdn.xml', sdnXml, '2026-02-20')
    const { lists, reasons } = await load()
    expect(lists.get('us_ofac_sdn')?.format).toBe('ofac_xml')
    expect(reasons).toEqual({ 'ofac/sdn.csv': 'superseded' })
  })

  test('knows the list of an advanced file, which only its end tells', async () => {
    const filler = `<!-- ${'x'.repeat(300_000)} -->`
    await put('sdn_advanced.xml', sdnAdvancedXml.replace('<Locations>', `${filler}<Locations>`))
    expect((await load()).lists.get('us_ofac_sdn')).toMatchObject({
      format: 'ofac_advanced_xml',
      published_at: '2026-02-03T00:00:00Z',
    })
  })

  test('goes back to the publication before when the newest is broken', async () => {
    await put('2026/uk.xml', ukXml.slice(0, -40))
    await put('2025/ConList.csv', conListCsv)
    const { lists, reasons } = await load()
    expect(lists.get('uk_sanctions')?.format).toBe('uk_conlist_csv')
    expect(reasons).toEqual({ '2026/uk.xml': 'truncated' })
  })

  test('gives the same version to the same content, another to another', async () => {
    await put('un.xml', manyUnXml(10, '2025-01-01'))
    const first = (await load()).lists.get('un_sc')?.version
    expect((await load()).lists.get('un_sc')?.version).toBe(first)
    await put('un.xml', manyUnXml(10, '2025-01-01').replace('Test', 'Other'))
    expect((await load()).lists.get('un_sc')?.version).not.toBe(first)
  })

  test('has a fingerprint that changes with every file that comes, goes or is written', async () => {
    const seen = new Set<string>()
    const look = async () => seen.add(await folderFingerprint(folder))
    await look()
    await put('a/un.xml', unXml)
    await look()
    await look()
    await put('a/un.xml', unXml, '2026-01-02')
    await look()
    await rm(join(folder, 'a/un.xml'))
    await look()
    expect(seen.size).toBe(3)
  })
})
