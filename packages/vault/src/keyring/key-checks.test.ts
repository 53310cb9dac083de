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

  test('refuses another key under the same id, even before any session was stored', async () => {
    const { vault, another } = newVault({ keys: newKeys({ current: k1 }) })
    await vault.check()
    const wrong = another({ keys: newKeys({ current: newKeyConfig('k1') }) })
    await expect(wrong.check()).rejects.toThrow(VaultKeyUnavailableError)
  })

  test('refuses to start without a key that data is still under, naming its id', async () => {
    const { vault, another } = newVault({ keys: newKeys({ current: k1 }) })
    await vault.seal(scopeOf('1', '1'), 'x', 1)
    await expect(another({ keys: newKeys({ current: k2 }) }).check()).rejects.toThrow(/"k1"/)
    await expect(another({ keys: newKeys({ current: k2, previous: [k1] }) }).check()).resolves.toBeUndefined()
  })

  test('with another key under the same id refuses to write for a new app, checked or not', async () => {
    const { vault, another, folder } = newVault({ keys: newKeys({ current: k1 }) })
    await vault.seal(scopeOf('1', '1'), 'x', 1)
    const files = readdirSync(folder, { recursive: true }).sort()
    const wrong = another({ keys: newKeys({ current: newKeyConfig('k1') }) })
    await expect(wrong.seal(scopeOf('2', '1'), 'x', 1)).rejects.toThrow(VaultError)
    await expect(wrong.keyedHash(scopeOf('2', '1'), 'x', 'y')).rejects.toThrow(VaultError)
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(files)
  })

  test('with a wrong key reads nothing and writes nothing for an app it knows', async () => {
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
