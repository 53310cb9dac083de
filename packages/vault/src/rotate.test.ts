import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { jpeg, newFolder, newKeyConfig, newKeys, newVault, removeFolders, scopeOf } from '../test/fixtures.ts'
import { createVault, folderStore, type Vault, VaultKeyUnavailableError } from './index.ts'

afterAll(removeFolders)

const [k1, k2] = [newKeyConfig('k1'), newKeyConfig('k2')]
const before = newKeys({ current: k1 })
const during = newKeys({ current: k2, previous: [k1] })
const after = newKeys({ current: k2 })
const scopes = [scopeOf('1', '1'), scopeOf('1', '2'), scopeOf('2', '1')]

async function filled() {
  const fixture = newVault({ keys: before })
  const { vault } = fixture
  const sealed: Buffer[] = []
  for (const scope of scopes) {
    await vault.put(scope, 'front', Buffer.from(scope.session_id), jpeg)
    sealed.push(await vault.seal(scope, 'x', scope.app_id))
  }
  const secret = await vault.sealForApp('app_1', 'webhook.secret', 'whsec')
  const readsAll = async (from: Vault) => {
    for (const [n, scope] of scopes.entries()) {
      expect((await from.get(scope, 'front')).toString()).toBe(scope.session_id)
      expect(await from.open(scope, 'x', sealed[n]!)).toBe(scope.app_id)
    }
    expect(await from.openForApp('app_1', 'webhook.secret', secret)).toBe('whsec')
  }
  return { ...fixture, readsAll }
}

describe('rotation', () => {
  test('makes the old key-encryption key unnecessary and does not change contents', async () => {
    const { folder, another, readsAll } = await filled()
    const file = join(folder, 'apps/app_1/sessions/ses_1/objects/front')
    const contents = readFileSync(file)
    await readsAll(another({ keys: during }))
    const rotated = await another({ keys: during }).rotate()
    expect(rotated).toEqual({ apps: 2, session_keys_rewrapped: 3, app_keys_deleted: 2, failed: 0 })
    const fresh = another({ keys: after })
    await fresh.check()
    await readsAll(fresh)
    expect(readFileSync(file).equals(contents)).toBe(true)
    expect(readdirSync(join(folder, 'apps/app_1/keys'))).toEqual(['2'])
  })

  test('does not make an old copy of the files readable with the new key-encryption key', async () => {
    const { folder, another, clock } = await filled()
    const copy = newFolder()
    cpSync(folder, copy, { recursive: true })
    await another({ keys: during }).rotate()
    const old = createVault({ store: folderStore(copy), keys: after, clock })
    await expect(old.check()).rejects.toThrow(VaultKeyUnavailableError)
    await expect(old.get(scopes[0]!, 'front')).rejects.toThrow(VaultKeyUnavailableError)
  })

  test('may run again at any time, also under the same key', async () => {
    const { vault, another, readsAll } = await filled()
    await vault.rotate()
    await vault.rotate()
    await readsAll(another())
  })

  test('retains a damaged session key, the keys that wrap it and the old key-encryption key, and reports it', async () => {
    const { folder, another } = await filled()
    const path = join(folder, 'apps/app_1/sessions/ses_1/key')
    const good = readFileSync(path)
    writeFileSync(path, Buffer.alloc(good.length))
    const rotated = await another({ keys: during }).rotate()
    expect(rotated).toMatchObject({ failed: 1, session_keys_rewrapped: 2 })
    expect(readdirSync(join(folder, 'apps/app_1/keys')).sort()).toEqual(['1', '2'])
    writeFileSync(path, good)
    expect((await another({ keys: after }).get(scopes[0]!, 'front')).toString()).toBe('ses_1')
  })

  test('fails without damage when the old key-encryption key is missing', async () => {
    const { another, readsAll } = await filled()
    await expect(another({ keys: after }).rotate()).rejects.toThrow(VaultKeyUnavailableError)
    await readsAll(another({ keys: during }))
  })

  test('loses nothing while processes concurrently write, read, purge and rotate', async () => {
    // As in a rolling restart: every process has the new key before the first one makes it current.
    const { vault, another, clock } = newVault({ keys: newKeys({ current: k1, previous: [k2] }) })
    const processes = [vault, another(), another({ keys: during }), another({ keys: during })]
    const purged = new Set<number>()
    const work = Array.from({ length: 40 }, async (_, n) => {
      const [writer, remover] = [processes[n % 4]!, processes[(n + 1) % 4]!]
      const scope = scopeOf('1', `w${n}`)
      await writer.put(scope, 'front', Buffer.from(`content ${n}`), jpeg)
      if (n % 5 === 0) {
        await remover.destroy(scope)
        purged.add(n)
      }
    })
    const rotations = [2, 3, 3].map((n) => processes[n]!.rotate())
    await Promise.all([...work, ...rotations])
    clock.advance(600_000)
    const reader = another({ keys: during })
    for (let n = 0; n < 40; n++) {
      const reading = reader.get(scopeOf('1', `w${n}`), 'front')
      if (purged.has(n)) await expect(reading).rejects.toThrow(/destroyed/)
      else expect((await reading).toString()).toBe(`content ${n}`)
    }
  })
})
