import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { collect, jpeg, newFolder, newVault, removeFolders, scopeOf, stoppedClock } from '../test/fixtures.ts'
import { createVault, folderStore, VaultKeyDestroyedError, VaultStorageError } from './index.ts'

afterAll(removeFolders)
const [scope, other] = [scopeOf('1', '1'), scopeOf('1', '2')]

async function filled(options: Parameters<typeof newVault>[0] = {}) {
  const fixture = newVault(options)
  for (const each of [scope, other]) {
    await fixture.vault.put(each, 'front', Buffer.from('front'), jpeg)
    await fixture.vault.put(each, 'back', Buffer.from('back'), jpeg)
  }
  return { ...fixture, sealed: await fixture.vault.seal(scope, 'session.identity', 'ANNA') }
}

describe('a destroyed session', () => {
  test('is immediately unreadable and unwritable in this process; other sessions are unaffected', async () => {
    const { vault, sealed, folder } = await filled()
    expect(await vault.destroy(scope)).toEqual({ files_deleted: 2, key_destroyed: true })
    const attempts = [
      () => vault.get(scope, 'front'),
      () => collect(vault.stream(scope, 'front')),
      () => vault.open(scope, 'session.identity', sealed),
      () => vault.put(scope, 'front', Buffer.from('x'), jpeg),
      () => vault.seal(scope, 'session.identity', 'x'),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(VaultKeyDestroyedError)
    expect(await vault.list(scope)).toEqual([])
    expect(existsSync(join(folder, 'apps', scope.app_id, 'sessions', scope.session_id))).toBe(false)
    expect((await vault.get(other, 'front')).toString()).toBe('front')
  })

  test('stays usable in other processes at most for the cache time', async () => {
    const fixture = await filled()
    const elsewhere = fixture.another({ dataKeyCacheMs: 3_000 })
    expect(await elsewhere.open(scope, 'session.identity', fixture.sealed)).toBe('ANNA')
    await fixture.vault.destroy(scope)
    fixture.clock.advance(3_001)
    const late = elsewhere.open(scope, 'session.identity', fixture.sealed)
    await expect(late).rejects.toThrow(VaultKeyDestroyedError)
  })

  test('retains nothing that another process was writing during the purge', async () => {
    const { vault, another } = await filled()
    const elsewhere = another()
    async function* slow() {
      yield randomBytes(600_000)
      await vault.destroy(scope)
      yield randomBytes(600_000)
    }
    await expect(elsewhere.put(scope, 'selfie', slow(), jpeg)).rejects.toThrow(VaultKeyDestroyedError)
    expect(await vault.list(scope)).toEqual([])
  })

  test('aborts a download in progress in this process, even one older than the cache', async () => {
    const { vault, clock } = await filled()
    await vault.put(scope, 'video', randomBytes(3_000_000), jpeg)
    const reading = vault.stream(scope, 'video')[Symbol.asyncIterator]()
    expect((await reading.next()).done).toBe(false)
    clock.advance(60_000)
    await vault.get(scope, 'front')
    await vault.destroy(scope)
    await expect(reading.next()).rejects.toThrow(VaultKeyDestroyedError)
  })

  test('can be destroyed again, reports it, and a session that never had a key can never get one', async () => {
    const { vault, another } = await filled()
    await vault.destroy(scope)
    expect(await another().destroy(scope)).toEqual({ files_deleted: 0, key_destroyed: true })
    const never = scopeOf('1', '3')
    expect(await vault.destroy(never)).toEqual({ files_deleted: 0, key_destroyed: false })
    await expect(another().seal(never, 'x', 1)).rejects.toThrow(VaultKeyDestroyedError)
  })

  test('is in the ledger with its time and ids, and the first entry remains', async () => {
    const { vault, folder, clock } = await filled()
    await vault.destroy(scope)
    const entry = () => readFileSync(join(folder, 'purge-ledger', scope.app_id, scope.session_id), 'utf8')
    const first = entry()
    const expected = { v: 1, ...scope, purged_at: '2030-01-01T00:00:00.000Z', had_key: true }
    expect(JSON.parse(first)).toEqual(expected)
    clock.advance(1000)
    await vault.destroy(scope)
    expect(entry()).toBe(first)
  })

  test('is destroyed on a full disk: deleting makes the room that the ledger needs', async () => {
    const folder = newFolder()
    const disk = folderStore(folder)
    let full = false
    const store: typeof disk = {
      ...disk,
      async write(name, body, mode) {
        if (full) throw new VaultStorageError('The vault folder failed (ENOSPC).')
        return disk.write(name, body, mode)
      },
      async delete(name) {
        if (name.includes('/objects/')) full = false
        return disk.delete(name)
      },
    }
    const { vault } = await filled({ store })
    full = true
    expect(await vault.destroy(scope)).toEqual({ files_deleted: 2, key_destroyed: true })
    expect(existsSync(join(folder, 'purge-ledger', scope.app_id, scope.session_id))).toBe(true)
  })

  test('counts as destroyed only once it is in the ledger', async () => {
    const disk = folderStore(newFolder())
    let refuse = false
    const store: typeof disk = {
      ...disk,
      async write(name, body, mode) {
        if (refuse && name.startsWith('purge-ledger')) throw new VaultStorageError('ENOSPC')
        return disk.write(name, body, mode)
      },
    }
    const { vault } = await filled({ store })
    refuse = true
    await expect(vault.destroy(scope)).rejects.toThrow(VaultStorageError)
    await expect(vault.get(scope, 'front')).rejects.toThrow(VaultKeyDestroyedError)
    refuse = false
    expect((await vault.destroy(scope)).files_deleted).toBe(0)
  })
})

describe('a backup taken before a purge', () => {
  test('is unreadable when restored with the current ledger, and a replay deletes it again', async () => {
    const { vault, another, folder, sealed } = await filled()
    const backup = newFolder()
    cpSync(folder, backup, { recursive: true })
    await vault.destroy(scope)
    cpSync(join(backup, 'apps'), join(folder, 'apps'), { recursive: true })
    const restored = another()
    await expect(restored.get(scope, 'front')).rejects.toThrow(VaultKeyDestroyedError)
    await expect(restored.open(scope, 'session.identity', sealed)).rejects.toThrow(VaultKeyDestroyedError)
    await expect(restored.put(scope, 'front', Buffer.from('x'), jpeg)).rejects.toThrow(VaultKeyDestroyedError)
    const replayed = { purged_sessions: 1, keys_destroyed: 1, files_deleted: 2 }
    expect(await restored.replayLedger()).toEqual(replayed)
    expect(readdirSync(join(folder, 'apps', scope.app_id, 'sessions'))).toEqual([other.session_id])
    expect((await restored.get(other, 'front')).toString()).toBe('front')
  })

  test('is purged by a ledger in a separate store', async () => {
    const ledger = folderStore(newFolder())
    const { vault, another, folder } = await filled({ ledger })
    const backup = newFolder()
    cpSync(folder, backup, { recursive: true })
    await vault.destroy(scope)
    rmSync(folder, { recursive: true })
    cpSync(backup, folder, { recursive: true })
    expect((await another().replayLedger()).keys_destroyed).toBe(1)
  })

  test('cannot be opened with the current keys after a rotation, even without a ledger', async () => {
    const { vault, keys, folder } = await filled()
    const backup = newFolder()
    cpSync(folder, backup, { recursive: true })
    await vault.destroy(scope)
    await vault.rotate()
    // What an attacker with the old files and the current app keys of the live system could combine.
    rmSync(join(backup, 'apps', scope.app_id, 'keys'), { recursive: true })
    cpSync(join(folder, 'apps', scope.app_id, 'keys'), join(backup, 'apps', scope.app_id, 'keys'), {
      recursive: true,
    })
    const thief = createVault({ store: folderStore(backup), keys, clock: stoppedClock() })
    await expect(thief.get(scope, 'front')).rejects.toThrow(/key .* missing/)
  })
})
