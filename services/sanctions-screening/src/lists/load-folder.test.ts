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
  test('is searched in every sub-folder, regardless of file names', async () => {
    await put('a/b/c/file.bin', unXml)
    await put('x', sdnCsv)
    await put('notes/README.md', '# notes')
    await put('.hidden', unXml)
    const { lists, reasons } = await load()
    expect([...lists.keys()].sort()).toEqual(['un_sc', 'us_ofac_sdn'])
    expect(reasons).toEqual({ 'notes/README.md': 'not_recognised' })
  })

  test('uses the newest publication by the date in the file', async () => {
    await put('z/un.xml', manyUnXml(10, '2025-01-01'), '2026-02-01')
    await put('a/un.xml', manyUnXml(12, '2025-06-01'), '2025-06-01')
    const { lists, reasons } = await load()
    expect(lists.get('un_sc')?.entities).toHaveLength(12)
    expect(reasons).toEqual({ 'z/un.xml': 'superseded' })
  })

  test('dates a file without a date by its name or folder, or else by its modification time', async () => {
    await put('ofac_2024-05-03/sdn.csv', manySdnCsv(70), '2026-02-01')
    await put('ofac_2022-01/sdn.csv', manySdnCsv(80), '2026-02-02')
    expect((await load()).lists.get('us_ofac_sdn')).toMatchObject({ published_at: '2024-05-03T00:00:00Z' })
    await put('fresh/sdn.csv', manySdnCsv(90), '2025-02-02')
    expect((await load()).lists.get('us_ofac_sdn')).toMatchObject({ published_at: '2025-02-02T00:00:00Z' })
  })

  test('joins the parts in one folder, using the alias file published closest to the main file', async () => {
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

  test('prefers the XML to the CSV in one folder, because it contains more data', async () => {
    await put('ofac/sdn.csv', sdnCsv, '2026-02-20')
    await put('ofac/sdn.xml', sdnXml, '2026-02-20')
    const { lists, reasons } = await load()
    expect(lists.get('us_ofac_sdn')?.format).toBe('ofac_xml')
    expect(reasons).toEqual({ 'ofac/sdn.csv': 'superseded' })
  })

  test('determines the list of an advanced file, which only its end states', async () => {
    const filler = `<!-- ${'x'.repeat(300_000)} -->`
    await put('sdn_advanced.xml', sdnAdvancedXml.replace('<Locations>', `${filler}<Locations>`))
    expect((await load()).lists.get('us_ofac_sdn')).toMatchObject({
      format: 'ofac_advanced_xml',
      published_at: '2026-02-03T00:00:00Z',
    })
  })

  test('falls back to the previous publication when the newest is invalid', async () => {
    await put('2026/uk.xml', ukXml.slice(0, -40))
    await put('2025/ConList.csv', conListCsv)
    const { lists, reasons } = await load()
    expect(lists.get('uk_sanctions')?.format).toBe('uk_conlist_csv')
    expect(reasons).toEqual({ '2026/uk.xml': 'truncated' })
  })

  test('gives the same version to the same content, and another to other content', async () => {
    await put('un.xml', manyUnXml(10, '2025-01-01'))
    const first = (await load()).lists.get('un_sc')?.version
    expect((await load()).lists.get('un_sc')?.version).toBe(first)
    await put('un.xml', manyUnXml(10, '2025-01-01').replace('Test', 'Other'))
    expect((await load()).lists.get('un_sc')?.version).not.toBe(first)
  })

  test('has a fingerprint that changes when a file is added, removed or written', async () => {
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
