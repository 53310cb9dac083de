import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createPack, importPack } from './pack.ts'

let root: string
let source: string
let target: string
const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}
const keys = pair()

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kyc-pack-'))
  source = join(root, 'source')
  target = join(root, 'target')
  await mkdir(join(source, 'un'), { recursive: true })
  await writeFile(join(source, 'sdn.csv'), 'first')
  await writeFile(join(source, 'un', 'list.xml'), 'second')
  await createPack(source, keys.privateKey)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const take = (publicKey = keys.publicKey) => importPack(source, target, publicKey)

test('imports a complete pack and replaces the existing files', async () => {
  await mkdir(target)
  await writeFile(join(target, 'older.csv'), 'older')
  expect(await take()).toBe(2)
  expect((await readdir(target, { recursive: true })).sort()).toEqual([
    'SHA256SUMS',
    'SHA256SUMS.sig',
    'sdn.csv',
    'un',
    'un/list.xml',
  ])
  expect(await readFile(join(target, 'un', 'list.xml'), 'utf8')).toBe('second')
  expect((await readdir(root)).sort()).toEqual(['source', 'target'])
})

test.each<[string, () => Promise<unknown>]>([
  ['a changed file', () => writeFile(join(source, 'sdn.csv'), 'forged')],
  ['a missing file', () => rm(join(source, 'sdn.csv'))],
  ['a surplus file', () => writeFile(join(source, 'un', 'more.xml'), 'more')],
  ['a link', () => symlink('/etc/passwd', join(source, 'link'))],
  [
    'a changed sum',
    async () => {
      const file = join(source, 'SHA256SUMS')
      await writeFile(
        file,
        (await readFile(file, 'utf8')).replace(/^./, (c) => (c === '0' ? '1' : '0')),
      )
    },
  ],
  [
    'a path that leads elsewhere, though signed,',
    async () => {
      const sums = Buffer.from(`${'0'.repeat(64)}  ./../sdn.csv\n`)
      await writeFile(join(source, 'SHA256SUMS'), sums)
      await writeFile(join(source, 'SHA256SUMS.sig'), sign(null, sums, createPrivateKey(keys.privateKey)))
    },
  ],
])('%s is rejected, and the existing files stay', async (_, damage) => {
  await mkdir(target)
  await writeFile(join(target, 'older.csv'), 'older')
  await damage()
  await expect(take()).rejects.toThrow()
  expect(await readdir(target)).toEqual(['older.csv'])
})

test('a pack signed with another key is rejected', async () => {
  await expect(take(pair().publicKey)).rejects.toThrow('was not signed with this key')
})
