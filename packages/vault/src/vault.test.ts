import { createHash, randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from '@jest/globals'
import { chunked, collect, jpeg, newFolder, newVault, removeFolders, scopeOf } from '../test/fixtures.ts'
import {
  folderStore,
  VaultIntegrityError,
  VaultKeyDestroyedError,
  VaultObjectMissingError,
  VaultStorageError,
} from './index.ts'

afterAll(removeFolders)
const scope = scopeOf('1', '1')

describe('files', () => {
  test('are read back by get, by stream and in another process, with size, hash and content type', async () => {
    const { vault, another } = newVault()
    const image = randomBytes(1_300_000)
    const sha256 = createHash('sha256').update(image).digest('hex')
    const stored = { object_id: 'front', size: image.length, sha256 }
    expect(await vault.put(scope, 'front', image, jpeg)).toEqual(stored)
    const streamed = await vault.put(scope, 'back', chunked(image, 70_000), jpeg)
    expect(streamed).toEqual({ ...stored, object_id: 'back' })
    for (const reader of [vault, another()]) {
      expect((await reader.get(scope, 'front')).equals(image)).toBe(true)
      expect((await collect(reader.stream(scope, 'back'))).equals(image)).toBe(true)
      const described = { content_type: 'image/jpeg', size: image.length }
      expect(await reader.describe(scope, 'back')).toEqual(described)
    }
  })

  test('are listed, replaced and deleted individually', async () => {
    const { vault } = newVault()
    for (const id of ['front', 'back']) await vault.put(scope, id, Buffer.from(id), jpeg)
    await vault.put(scope, 'front', Buffer.from('again'), jpeg)
    expect((await vault.list(scope)).map(({ object_id }) => object_id)).toEqual(['back', 'front'])
    expect((await vault.get(scope, 'front')).toString()).toBe('again')
    expect(await vault.delete(scope, 'front')).toBe(true)
    expect(await vault.delete(scope, 'front')).toBe(false)
    await expect(vault.get(scope, 'front')).rejects.toThrow(VaultObjectMissingError)
    await expect(collect(vault.stream(scope, 'front'))).rejects.toThrow(VaultObjectMissingError)
    expect((await vault.get(scope, 'back')).toString()).toBe('back')
  })

  test('of an interrupted upload are not stored, and the previous file remains', async () => {
    const { vault } = newVault()
    await vault.put(scope, 'front', Buffer.from('old'), jpeg)
    async function* broken() {
      yield randomBytes(2_000_000)
      throw new Error('went away')
    }
    await expect(vault.put(scope, 'front', broken(), jpeg)).rejects.toThrow('went away')
    await expect(vault.put(scope, 'back', broken(), jpeg)).rejects.toThrow('went away')
    expect((await vault.get(scope, 'front')).toString()).toBe('old')
    expect(await vault.list(scope)).toHaveLength(1)
  })

  test('of a session without a key fail like those of a purged session', async () => {
    const { vault } = newVault()
    await expect(vault.get(scope, 'front')).rejects.toThrow(VaultKeyDestroyedError)
    await expect(vault.describe(scope, 'front')).rejects.toThrow(VaultKeyDestroyedError)
    await expect(vault.open(scope, 'x', Buffer.alloc(40))).rejects.toThrow(VaultKeyDestroyedError)
  })

  test.each([
    [{ app_id: '../app', session_id: 'ses_1' }, 'front'],
    [{ app_id: 'app_1', session_id: 'a/b' }, 'front'],
    [{ app_id: 'app_1', session_id: '' }, 'front'],
    [scope, '../key'],
    [scope, '.hidden'],
  ])('are rejected under invalid ids: %j %j', async (badScope, objectId) => {
    const { vault } = newVault()
    await expect(vault.put(badScope, objectId, Buffer.from('x'), jpeg)).rejects.toThrow(TypeError)
    await expect(vault.get(badScope, objectId)).rejects.toThrow()
    await expect(vault.delete(badScope, objectId)).rejects.toThrow(TypeError)
  })

  test('on a full disk fail with a storage error and leave nothing', async () => {
    const folder = newFolder()
    const full = folderStore(folder)
    const store = {
      ...full,
      write: async (...[name, body, mode]: Parameters<typeof full.write>) => {
        if (name.includes('/objects/')) throw new VaultStorageError('The vault folder failed (ENOSPC).')
        return full.write(name, body, mode)
      },
    }
    const { vault } = newVault({ store })
    await expect(vault.put(scope, 'front', Buffer.from('x'), jpeg)).rejects.toThrow(VaultStorageError)
    expect(await vault.list(scope)).toEqual([])
    expect((await vault.destroy(scope)).key_destroyed).toBe(true)
  })
})

describe('sealed values', () => {
  test('open in their own scope and context, also in another process', async () => {
    const { vault, another } = newVault()
    const identity = { full_name: 'ANNA ERIKSSON', born: '1974-08-12' }
    const sealed = await vault.seal(scope, 'session.identity', identity)
    expect(await another().open(scope, 'session.identity', sealed)).toEqual(identity)
    await expect(vault.open(scope, 'session.contact', sealed)).rejects.toThrow(VaultIntegrityError)
  })

  test('of one session or app never open in another', async () => {
    const { vault } = newVault()
    const others = [scopeOf('1', '2'), scopeOf('2', '1')]
    const sealed = await vault.seal(scope, 'x', 'mine')
    for (const other of others) {
      await vault.seal(other, 'x', 'theirs')
      await expect(vault.open(other, 'x', sealed)).rejects.toThrow(VaultIntegrityError)
    }
  })

  test('of an app outlive its sessions and open only for that app and context', async () => {
    const { vault, another } = newVault()
    const sealed = await vault.sealForApp('app_1', 'webhook.secret', 'whsec_1')
    await vault.sealForApp('app_2', 'webhook.secret', 'whsec_2')
    expect(await another().openForApp('app_1', 'webhook.secret', sealed)).toBe('whsec_1')
    await expect(vault.openForApp('app_2', 'webhook.secret', sealed)).rejects.toThrow(VaultIntegrityError)
    await expect(vault.openForApp('app_1', 'webhook.url', sealed)).rejects.toThrow(VaultIntegrityError)
    await expect(vault.openForApp('app_3', 'webhook.secret', sealed)).rejects.toThrow(VaultKeyDestroyedError)
    await expect(vault.open(scope, 'webhook.secret', sealed)).rejects.toThrow(VaultKeyDestroyedError)
  })
})

describe('keyed hashes', () => {
  test('are equal for equal values of one app and purpose in every process, and different otherwise', async () => {
    const { vault, another } = newVault()
    const hash = (from: typeof vault, app: string, purpose: string, value: string) =>
      from.keyedHash({ app_id: app }, purpose, value)
    const mine = await hash(vault, 'app_1', 'document', 'IND:L898902C3')
    expect(mine).toMatch(/^[0-9a-f]{64}$/)
    expect(await hash(another(), 'app_1', 'document', 'IND:L898902C3')).toBe(mine)
    const different = [
      await hash(vault, 'app_2', 'document', 'IND:L898902C3'),
      await hash(vault, 'app_1', 'address', 'IND:L898902C3'),
      await hash(vault, 'app_1', 'document', 'IND:L898902C4'),
      createHash('sha256').update('IND:L898902C3').digest('hex'),
    ]
    expect(new Set([mine, ...different]).size).toBe(5)
  })

  test('stay the same when two processes hash for a new app concurrently, and after a rotation', async () => {
    const { vault, another } = newVault()
    const all = await Promise.all(
      [vault, another(), another(), another()].map((v) => v.keyedHash({ app_id: 'app_1' }, 'document', 'x')),
    )
    await vault.rotate()
    expect(new Set([...all, await another().keyedHash({ app_id: 'app_1' }, 'document', 'x')]).size).toBe(1)
  })
})
