import { readdirSync } from 'node:fs'
import { afterAll, describe, expect, test } from '@jest/globals'
import { jpeg, newKeyConfig, newKeys, newVault, removeFolders, scopeOf } from '../../test/fixtures.ts'
import { VaultError, VaultKeyUnavailableError } from '../index.ts'

afterAll(removeFolders)
const [k1, k2] = [newKeyConfig('k1'), newKeyConfig('k2')]

describe('at start, the vault', () => {
  test('accepts an empty store and its own keys', async () => {
    const { vault, another } = newVault()
    await vault.check()
    await vault.put(scopeOf('1', '1'), 'front', Buffer.from('x'), jpeg)
    await expect(another().check()).resolves.toBeUndefined()
  })

  test('rejects another key under the same id, even before any session was stored', async () => {
    const { vault, another } = newVault({ keys: newKeys({ current: k1 }) })
    await vault.check()
    const wrong = another({ keys: newKeys({ current: newKeyConfig('k1') }) })
    await expect(wrong.check()).rejects.toThrow(VaultKeyUnavailableError)
  })

  test('refuses to start without a key that still wraps data, and names its id', async () => {
    const { vault, another } = newVault({ keys: newKeys({ current: k1 }) })
    await vault.seal(scopeOf('1', '1'), 'x', 1)
    await expect(another({ keys: newKeys({ current: k2 }) }).check()).rejects.toThrow(/"k1"/)
    await expect(another({ keys: newKeys({ current: k2, previous: [k1] }) }).check()).resolves.toBeUndefined()
  })

  test('does not write for a new app with another key under the same id, whether checked or not', async () => {
    const { vault, another, folder } = newVault({ keys: newKeys({ current: k1 }) })
    await vault.seal(scopeOf('1', '1'), 'x', 1)
    const files = readdirSync(folder, { recursive: true }).sort()
    const wrong = another({ keys: newKeys({ current: newKeyConfig('k1') }) })
    await expect(wrong.seal(scopeOf('2', '1'), 'x', 1)).rejects.toThrow(VaultError)
    await expect(wrong.keyedHash(scopeOf('2', '1'), 'x', 'y')).rejects.toThrow(VaultError)
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(files)
  })

  test('reads and writes nothing for an existing app with a wrong key', async () => {
    const { vault, another, folder } = newVault({ keys: newKeys({ current: k1 }) })
    const scope = scopeOf('1', '1')
    await vault.put(scope, 'front', Buffer.from('x'), jpeg)
    const files = readdirSync(folder, { recursive: true }).sort()
    const wrong = another({ keys: newKeys({ current: k2 }) })
    await expect(wrong.get(scope, 'front')).rejects.toThrow(VaultKeyUnavailableError)
    await expect(wrong.put(scope, 'back', Buffer.from('x'), jpeg)).rejects.toThrow(VaultKeyUnavailableError)
    await expect(wrong.seal(scopeOf('1', '2'), 'x', 1)).rejects.toThrow(VaultKeyUnavailableError)
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(files)
  })
})
