import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { euXml } from '../../test/fixtures/europe.ts'
import { altCsv, manySdnCsv, sdnXml } from '../../test/fixtures/ofac.ts'
import { auXlsx, caXml, zip } from '../../test/fixtures/others.ts'
import { conListCsv, ukCsv, ukXml } from '../../test/fixtures/uk.ts'
import { manyUnXml } from '../../test/fixtures/un.ts'
import type { ListId } from '../domain/entity.ts'
import type { RejectionCode } from '../domain/lists/rejection.ts'
import { type FolderLists, loadSanctionsFolder } from './load-folder.ts'

const now = new Date('2026-03-01T12:00:00Z')
const goodUn = manyUnXml(400, '2026-01-15')
/** Newer than every good file, so that it would be used if it were accepted. */
const newUn = manyUnXml(400, '2026-02-20')
const goodSdn = manySdnCsv(300)
const newSdn = manySdnCsv(300, 90_001)
const workbook = auXlsx()

const cut = (content: string, share: number): string => content.slice(0, Math.floor(content.length * share))

/** One file for each kind of fault that a publisher, proxy, disk or person can cause. */
const broken: Record<string, { content: string | Uint8Array; code: RejectionCode }> = {
  'an empty file': { content: '', code: 'empty' },
  'a file of whitespace': { content: ' \r\n\t\n', code: 'empty' },
  'a web page': { content: '<!DOCTYPE html><html><body>Service unavailable</body></html>', code: 'html' },
  'a web page without a doctype': {
    content: '<html><head><title>Sign in</title></head></html>',
    code: 'html',
  },
  'a web page behind a comment': { content: '<!-- proxy --><html></html>', code: 'html' },
  'an error in JSON': { content: '{"error":"rate limited"}', code: 'not_recognised' },
  'an error in plain text': {
    content: 'upstream connect error or disconnect/reset before headers',
    code: 'not_recognised',
  },
  'an XML error of a storage': {
    content: '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    code: 'not_recognised',
  },
  'random bytes': {
    content: Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7_919) % 256)),
    code: 'not_recognised',
  },
  'a compressed list': { content: gzipSync(newUn), code: 'not_recognised' },
  'an XML list truncated within a record': { content: cut(newUn, 0.7), code: 'truncated' },
  'an XML list truncated between two records': {
    content: newUn.slice(0, newUn.lastIndexOf('<INDIVIDUAL>')),
    code: 'truncated',
  },
  'an XML list whose last bytes are missing': { content: newUn.slice(0, -4), code: 'truncated' },
  'an XML list with a mismatched tag': {
    content: newUn.replace('</UN_LIST_TYPE>', '</LIST_TYPE>'),
    code: 'not_well_formed',
  },
  'an XML list with a bare ampersand': { content: newUn.replace('OV<', ' & <'), code: 'truncated' },
  'an XML list with an unknown entity': { content: newUn.replace('OV<', '&nbsp;<'), code: 'not_well_formed' },
  'an XML list with a DTD and an entity bomb': {
    content: newUn.replace(
      '<CONSOLIDATED_LIST',
      '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><CONSOLIDATED_LIST',
    ),
    code: 'doctype',
  },
  'an XML list with an external entity': {
    content: newUn.replace(
      '<CONSOLIDATED_LIST',
      '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd"><CONSOLIDATED_LIST',
    ),
    code: 'doctype',
  },
  'an XML list with excessive nesting': {
    content: newUn.replace('<UN_LIST_TYPE>', '<a>'.repeat(2_000)),
    code: 'schema',
  },
  'an XML list with bytes that are invalid in its encoding': {
    content: Buffer.concat([
      Buffer.from(newUn.slice(0, 400)),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.from(newUn.slice(400)),
    ]),
    code: 'encoding',
  },
  'an XML list that declares an unknown encoding': {
    content: newUn.replace('UTF-8', 'EBCDIC-CP-US'),
    code: 'encoding',
  },
  'an XML list with names lost in a conversion': {
    content: newUn.replaceAll('OV<', '\ufffd\ufffd<'),
    code: 'encoding',
  },
  'an XML list without entries': {
    content: '<CONSOLIDATED_LIST dateGenerated="2026-02-20T00:00:00Z"><INDIVIDUALS/></CONSOLIDATED_LIST>',
    code: 'no_entities',
  },
  'an XML list whose references are gone': {
    content: newUn.replaceAll('REFERENCE_NUMBER', 'REFERENCE'),
    code: 'no_entities',
  },
  'an XML list with half its names gone': {
    content: newUn.replace(
      /<FIRST_NAME>[b-h].*?<\/FIRST_NAME><SECOND_NAME>.*?<\/SECOND_NAME>(.*?)<INDIVIDUAL_ALIAS>.*?<\/INDIVIDUAL_ALIAS>/gi,
      '$1',
    ),
    code: 'too_many_unreadable',
  },
  'an XML list with every entry twice': {
    content: newUn.replace(/<INDIVIDUALS>(.*)<\/INDIVIDUALS>/s, '<INDIVIDUALS>$1$1</INDIVIDUALS>'),
    code: 'duplicate_ids',
  },
  'an XML list dated next year': { content: newUn.replace('2026-02-20', '2027-02-20'), code: 'future' },
  'an older XML list': { content: manyUnXml(400, '2024-01-01'), code: 'superseded' },
  'an OFAC list with fewer entries than it declares': {
    content: sdnXml.replace('>2<', '>17000<'),
    code: 'count_mismatch',
  },
  'an OFAC CSV truncated within a quotation': {
    content: cut(newSdn, 0.8).replace(/"[^"]*$/, '"broken off'),
    code: 'truncated',
  },
  'an OFAC CSV truncated within a record': {
    content: newSdn.slice(0, newSdn.lastIndexOf(',-0- ,-0- ')),
    code: 'truncated',
  },
  'an OFAC CSV with a web page in the middle': {
    content: newSdn.replace('90100,', '<html>,'),
    code: 'schema',
  },
  'an OFAC alias file without its list': { content: altCsv, code: 'missing_part' },
  'a UK list without a required column': {
    content: ukCsv.replaceAll('Regime Name', 'Regime'),
    code: 'schema',
  },
  'a truncated UK list': { content: cut(conListCsv, 0.97), code: 'truncated' },
  'a UK XML list without names': {
    content: ukXml
      .replaceAll('Name6', 'NameX')
      .replaceAll('Name1', 'NameY')
      .replaceAll('Name2', 'NameZ')
      .replaceAll('NameNonLatinScript', 'N'),
    code: 'no_entities',
  },
  'an EU list that is another export': {
    content: euXml.replaceAll('sanctionEntity', 'product').replaceAll('europa.eu', 'example.org'),
    code: 'not_recognised',
  },
  'a data set that is not the Canadian list': {
    content: caXml.replaceAll('record>', 'row>'),
    code: 'not_recognised',
  },
  'a truncated workbook': { content: workbook.subarray(0, workbook.length - 30), code: 'archive' },
  'a workbook with other columns': {
    content: auXlsx([
      ['A', 'B'],
      ['1', '2'],
    ]),
    code: 'schema',
  },
  'a workbook without a sheet': {
    content: zip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' }),
    code: 'schema',
  },
  'an archive that is not a workbook': { content: zip({ 'list.txt': 'hello' }), code: 'not_recognised' },
}

let folder: string
let result: FolderLists

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-broken-'))
  await mkdir(join(folder, '2026-01 good'))
  await writeFile(join(folder, '2026-01 good', 'un'), goodUn)
  await writeFile(join(folder, '2026-01 good', 'sdn'), goodSdn)
  for (const [name, { content }] of Object.entries(broken)) {
    // One folder per file, because the parts in one folder form one publication. The date in the name makes undated
    // files the newest.
    await mkdir(join(folder, `2026-02 ${name}`))
    await writeFile(join(folder, `2026-02 ${name}`, 'list'), content)
  }
  result = await loadSanctionsFolder(folder, now)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a folder of invalid list files', () => {
  test('contains at least 25 kinds of fault', () => {
    expect(Object.keys(broken).length).toBeGreaterThanOrEqual(25)
  })

  test('never replaces a valid list', () => {
    const served = [...result.lists].map(([id, list]): [ListId, number] => [id, list.entities.length])
    expect(new Map(served)).toEqual(
      new Map([
        ['un_sc', 400],
        ['us_ofac_sdn', 300],
      ]),
    )
    expect(result.lists.get('un_sc')?.published_at).toBe('2026-01-15T00:00:00Z')
    expect(result.lists.get('us_ofac_sdn')?.entities[0]?.id).toBe('80001')
  })

  test.each(Object.entries(broken))('reports why it rejected %s', (name, { code }) => {
    const refusal = result.rejected.find(
      (file) => file.path.startsWith(`2026-02 ${name}/`) || file.path.startsWith(`2026-02 ${name}\\`),
    )
    expect(refusal).toMatchObject({ code })
    expect(refusal?.message).not.toBe('')
  })
})
