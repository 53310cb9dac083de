import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { newFolder, removeFolders } from '../../test/fixtures.ts'
import { testStoreContract } from '../../test/store-contract.ts'
import { VaultStorageError } from '../errors.ts'
import { folderStore } from './folder.ts'

afterAll(removeFolders)

describe('the folder store', () => {
  const shared = folderStore(newFolder())
  testStoreContract(() => shared)

  test('creates folders with mode 0700 and files with 0600', async () => {
    const folder = newFolder()
    await folderStore(folder).write('apps/a/key', [Buffer.from('x')], 'create')
    for (const path of ['', 'apps', 'apps/a', '.tmp'])
      expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'apps/a/key')).mode & 0o777).toBe(0o600)
  })

  test.each(['../x', 'a/../../x', '/etc/passwd', 'a//b', '', '.tmp/x', 'a/.hidden', 'a/b\0c', 'a\\b'])(
    'rejects the name %j',
    async (name) => {
      const store = folderStore(newFolder())
      await expect(store.write(name, [Buffer.from('x')], 'create')).rejects.toThrow(TypeError)
      await expect(store.read(name)).rejects.toThrow(TypeError)
      await expect(store.delete(name)).rejects.toThrow(TypeError)
    },
  )

  test('does not follow a symbolic link out of the folder', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'apps'), { recursive: true })
    symlinkSync('/etc/passwd', join(folder, 'apps/link'))
    await expect(folderStore(folder).read('apps/link')).rejects.toThrow(VaultStorageError)
  })

  // Sizes around the first read, and far beyond it.
  test.each([0, 1, 4_095, 4_096, 4_097, 300_000])('returns all %i bytes of an object', async (size) => {
    const bytes = Buffer.from(Array.from({ length: size }, (_, n) => n % 251))
    const store = folderStore(newFolder())
    await store.write('apps/a/object', [bytes], 'create')
    expect((await store.read('apps/a/object'))?.equals(bytes)).toBe(true)
  })

  test('leaves no temporary file after writes that won, lost or failed', async () => {
    const folder = newFolder()
    const store = folderStore(folder)
    await store.write('a/b', [Buffer.from('x')], 'create')
    await store.write('a/b', [Buffer.from('x')], 'create')
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('x')
      throw new Error('gone')
    }
    await store.write('a/c', broken(), 'create').catch(() => undefined)
    expect(readdirSync(join(folder, '.tmp'))).toEqual([])
  })

  test('deletes only old leftovers of interrupted writes', async () => {
    const folder = newFolder()
    const store = folderStore(folder)
    await store.write('a/b', [Buffer.from('kept')], 'create')
    writeFileSync(join(folder, '.tmp/old'), 'half')
    writeFileSync(join(folder, '.tmp/new'), 'half')
    utimesSync(join(folder, '.tmp/old'), new Date(1000), new Date(1000))
    expect(await store.collectOrphans(new Date(2000))).toBe(1)
    expect(readdirSync(join(folder, '.tmp'))).toEqual(['new'])
    expect((await store.read('a/b'))?.toString()).toBe('kept')
  })

  test('removes a folder with its last object', async () => {
    const folder = newFolder()
    const store = folderStore(folder)
    await store.write('apps/a/sessions/s/objects/x', [Buffer.from('x')], 'create')
    await store.delete('apps/a/sessions/s/objects/x')
    expect(readdirSync(folder)).toEqual(['.tmp'])
  })

  test('removes the access of other users to a folder, but not that of its group', async () => {
    const folder = newFolder()
    mkdirSync(folder)
    for (const [before, after] of [
      [0o755, 0o750],
      [0o770, 0o770],
      [0o700, 0o700],
    ] as const) {
      chmodSync(folder, before)
      await folderStore(folder).check()
      expect(statSync(folder).mode & 0o777).toBe(after)
    }
  })

  test('reports the system error in a storage error when the folder cannot be used', async () => {
    const folder = newFolder()
    writeFileSync(folder, 'a file where the folder should be')
    const writing = folderStore(folder).write('a/b', [Buffer.from('x')], 'create')
    await expect(writing).rejects.toThrow(VaultStorageError)
    await expect(writing).rejects.toThrow(/ENOTDIR|EEXIST/)
  })
})
