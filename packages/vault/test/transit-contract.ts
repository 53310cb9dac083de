import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from '@jest/globals'
import { transitKeys, VaultIntegrityError, VaultKeyUnavailableError } from '../src/index.ts'
import { jpeg, newVault, removeFolders, scopeOf } from './fixtures.ts'

/** What `transitKeys` requires of a key manager, real or fake. */
export function testTransitContract(server: () => { address: string; token: string }): void {
  afterAll(removeFolders)
  const aad = Buffer.from('place')

  async function administer(path: string, body: object = {}): Promise<void> {
    const { address, token } = server()
    const headers = { 'x-vault-token': token }
    const response = await fetch(`${address}/v1/transit/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(response.status).toBeLessThan(300)
  }

  /** Creates an encryption key in the manager, and the key-encryption keys that use it. */
  async function newTransitKey() {
    const keyName = `kyc-${randomBytes(6).toString('hex')}`
    await administer(`keys/${keyName}`)
    const { address, token } = server()
    const keys = transitKeys({ address, token: () => token, keyName })
    return { keyName, keys, rotate: () => administer(`keys/${keyName}/rotate`) }
  }

  test('wraps and unwraps in the same place, under an id that contains the version', async () => {
    const { keys, keyName } = await newTransitKey()
    const secret = randomBytes(32)
    const { keyId, wrapped } = await keys.wrap(secret, aad)
    expect(keyId).toBe(`transit/${keyName}:v1`)
    expect(await keys.currentId()).toBe(keyId)
    expect((await keys.unwrap(keyId, wrapped, aad)).equals(secret)).toBe(true)
    expect(wrapped.includes(secret.toString('base64'))).toBe(false)
  })

  test('rejects a damaged or swapped wrapped key as an integrity error', async () => {
    const { keys } = await newTransitKey()
    const { keyId, wrapped } = await keys.wrap(randomBytes(32), aad)
    await expect(keys.unwrap(keyId, wrapped, Buffer.from('elsewhere'))).rejects.toThrow(VaultIntegrityError)
    const prefix = wrapped.indexOf(':', 6) + 1
    for (const at of [prefix, prefix + 20, wrapped.length - 6]) {
      const bad = Buffer.from(wrapped)
      bad[at] = bad[at] === 0x41 ? 0x42 : 0x41
      await expect(keys.unwrap(keyId, bad, aad)).rejects.toThrow(VaultIntegrityError)
    }
    await expect(keys.unwrap(keyId, wrapped.subarray(0, prefix + 8), aad)).rejects.toThrow(
      VaultIntegrityError,
    )
    await expect(keys.unwrap(keyId, wrapped.subarray(0, -4), aad)).rejects.toThrow(VaultIntegrityError)
  })

  test('reports a key version that is too new, too old or of another key as unavailable', async () => {
    const { keys, keyName, rotate } = await newTransitKey()
    const { keyId, wrapped } = await keys.wrap(randomBytes(32), aad)
    const other = await newTransitKey()
    await expect(other.keys.unwrap(keyId, wrapped, aad)).rejects.toThrow(VaultKeyUnavailableError)
    await rotate()
    expect((await keys.unwrap(keyId, wrapped, aad)).length).toBe(32)
    await administer(`keys/${keyName}/config`, { min_decryption_version: 2 })
    await expect(keys.unwrap(keyId, wrapped, aad)).rejects.toThrow(VaultKeyUnavailableError)
  })

  test('reports that the key manager rejected a wrong token, without the token', async () => {
    const { keyName } = await newTransitKey()
    const token = 'hvs.not-the-token'
    const wrapping = transitKeys({ address: server().address, token: () => token, keyName }).wrap(aad, aad)
    await expect(wrapping).rejects.toThrow(VaultKeyUnavailableError)
    await expect(wrapping).rejects.toThrow(/403/)
    await expect(wrapping).rejects.toThrow(expect.not.stringContaining(token) as unknown as string)
  })

  test('supports a vault; a rotation in the manager and then in the vault makes the old version unnecessary', async () => {
    const { keys, keyName, rotate } = await newTransitKey()
    const { vault, another } = newVault({ keys })
    const scope = scopeOf('1', '1')
    await vault.check()
    await vault.put(scope, 'front', Buffer.from('front'), jpeg)
    await rotate()
    expect(await vault.rotate()).toMatchObject({ session_keys_rewrapped: 1, failed: 0 })
    await administer(`keys/${keyName}/config`, { min_decryption_version: 2 })
    const later = another()
    await later.check()
    expect((await later.get(scope, 'front')).toString()).toBe('front')
  })
}
