import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { sdnCsv } from '../../test/fixtures/ofac.ts'
import { unXml } from '../../test/fixtures/un.ts'
import { loadSanctionsFolder } from './load-folder.ts'

const signer = generateKeyPairSync('ed25519')
const files = { 'ofac/sdn.csv': sdnCsv, 'nations.xml': unXml }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-pack-'))
  for (const [path, content] of Object.entries(files)) await put(path, content)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), content)
}

async function signPack(privateKey = signer.privateKey): Promise<void> {
  const sums = Object.entries(files)
    .map(([path, content]) => `${createHash('sha256').update(content).digest('hex')}  ./${path}\n`)
    .join('')
  await put('SHA256SUMS', sums)
  await put('SHA256SUMS.sig', sign(null, Buffer.from(sums), privateKey))
}

async function load() {
  const { lists, rejected } = await loadSanctionsFolder(folder, new Date('2026-03-01'), signer.publicKey)
  return {
    lists: [...lists.keys()].sort(),
    reasons: Object.fromEntries(rejected.map(({ path, code }) => [path, code])),
  }
}

test('uses the lists of a signed pack', async () => {
  await signPack()
  expect(await load()).toEqual({ lists: ['un_sc', 'us_ofac_sdn'], reasons: {} })
})

test('rejects a file that was changed after signing or never signed', async () => {
  await signPack()
  await put('nations.xml', unXml.replace('QDi.9001', 'QDi.9009'))
  await put('extra/sdn.csv', sdnCsv)
  expect(await load()).toEqual({
    lists: ['us_ofac_sdn'],
    reasons: { 'nations.xml': 'not_signed', 'extra/sdn.csv': 'not_signed' },
  })
})

test.each([
  ['no signature', async () => undefined],
  ['a signature by another key', () => signPack(generateKeyPairSync('ed25519').privateKey)],
  [
    'a signature of other checksums',
    async () => {
      await signPack()
      await put('SHA256SUMS', '')
    },
  ],
])('rejects every file with %s', async (_, arrange) => {
  await arrange()
  expect(await load()).toEqual({
    lists: [],
    reasons: { 'ofac/sdn.csv': 'not_signed', 'nations.xml': 'not_signed' },
  })
})
