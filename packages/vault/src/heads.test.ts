import { afterEach, expect, test } from '@jest/globals'
import { newFolder, newVault, removeFolders } from '../test/fixtures.ts'
import { folderStore } from './store/folder.ts'

afterEach(removeFolders)

const bytes = (text: string) => Buffer.from(text)

test('a head is created once and never replaced, and an older one is not added after a newer one', async () => {
  const { heads } = newVault().vault
  expect(await heads.append('audit', 9, bytes('nine'))).toBe('written')
  expect(await heads.append('audit', 9, bytes('other'))).toBe('exists')
  expect(await heads.append('audit', 8, bytes('eight'))).toBe('superseded')
  expect(await heads.append('audit', 100, bytes('hundred'))).toBe('written')
  expect(await heads.list('audit')).toEqual([9, 100])
  expect((await heads.read('audit', 9))?.toString()).toBe('nine')
  expect(await heads.read('audit', 8)).toBeUndefined()
  expect(await heads.list('another')).toEqual([])
})

test('when twenty replicas append the same head, one writes it', async () => {
  const fixture = newVault()
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, number) => fixture.another().heads.append('audit', 5, bytes(`${number}`))),
  )
  expect(results.filter((result) => result === 'written')).toHaveLength(1)
  expect(await fixture.vault.heads.list('audit')).toEqual([5])
})

test('when replicas concurrently append different heads, the highest is the newest', async () => {
  const { vault } = newVault()
  await Promise.all([3, 7, 5, 1, 6].map((seq) => vault.heads.append('audit', seq, bytes(String(seq)))))
  expect((await vault.heads.list('audit')).at(-1)).toBe(7)
})

test('only a head that a newer one covers can be deleted', async () => {
  const { heads } = newVault().vault
  await heads.append('audit', 1, bytes('one'))
  expect(await heads.prune('audit', 1)).toBe(false)
  await heads.append('audit', 2, bytes('two'))
  expect(await heads.prune('audit', 1)).toBe(true)
  expect(await heads.prune('audit', 2)).toBe(false)
  expect(await heads.prune('audit', 3)).toBe(false)
  expect(await heads.list('audit')).toEqual([2])
})

test('heads are stored with the ledger, so restoring the files does not change them', async () => {
  const ledger = folderStore(newFolder())
  const { vault, store } = newVault({ ledger })
  await vault.heads.append('audit', 1, bytes('one'))
  expect(await ledger.exists('log-heads/audit/1')).toBe(true)
  expect(await store.exists('log-heads/audit/1')).toBe(false)
})

test.each([
  ['../audit', 1],
  ['audit', 0],
  ['audit', 1.5],
])('rejects the log %j with seq %j', async (log, seq) => {
  await expect(newVault().vault.heads.append(log, seq, bytes(''))).rejects.toThrow(TypeError)
})
