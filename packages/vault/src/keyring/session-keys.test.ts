import { afterAll, describe, expect, test } from '@jest/globals'
import { jpeg, newVault, removeFolders, scopeOf } from '../../test/fixtures.ts'
import { VaultKeyDestroyedError } from '../index.ts'

afterAll(removeFolders)
const scope = scopeOf('1', '1')

describe("a session's data key", () => {
  test('is created only once, however many processes and calls need it first', async () => {
    const { vault, another } = newVault()
    const processes = [vault, another(), another(), another()]
    const sealed = await Promise.all(
      Array.from({ length: 40 }, (_, n) => processes[n % 4]!.seal(scope, 'x', n)),
    )
    const reader = another()
    for (const [n, bytes] of sealed.entries()) expect(await reader.open(scope, 'x', bytes)).toBe(n)
  })

  test('is created by a write even while reads find none', async () => {
    const { vault } = newVault()
    const reads = () => vault.open(scope, 'x', Buffer.alloc(40)).catch(() => undefined)
    const [, sealed] = await Promise.all([reads(), vault.seal(scope, 'x', 1), reads(), reads()])
    expect(await vault.open(scope, 'x', sealed)).toBe(1)
  })

  test('never survives a purge that races with its creation', async () => {
    const { vault, another, clock } = newVault()
    const processes = [vault, another(), another()]
    const scopes = Array.from({ length: 30 }, (_, n) => scopeOf('1', `r${n}`))
    await Promise.all(
      scopes.flatMap((each, n) => [
        processes[n % 3]!.put(each, 'front', Buffer.from('x'), jpeg).catch((error) => {
          expect(error).toBeInstanceOf(VaultKeyDestroyedError)
        }),
        processes[(n + 1) % 3]!.destroy(each),
      ]),
    )
    clock.advance(60_000)
    for (const each of scopes) {
      await expect(another().get(each, 'front')).rejects.toThrow(VaultKeyDestroyedError)
      expect(await another().list(each)).toEqual([])
    }
  })

  test('is read once while it is cached, and again after the cache time', async () => {
    const { store, another, clock } = newVault()
    let reads = 0
    const counted: typeof store = {
      ...store,
      read(name) {
        if (name.endsWith('/key')) reads++
        return store.read(name)
      },
    }
    const vault = another({ store: counted })
    await vault.seal(scope, 'x', 1)
    reads = 0
    for (let n = 0; n < 50; n++) await vault.seal(scope, 'x', n)
    expect(reads).toBe(0)
    clock.advance(5_000)
    await vault.seal(scope, 'x', 1)
    expect(reads).toBe(1)
  })
})
