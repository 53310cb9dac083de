import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { newFolder, newKeyConfig, removeFolders } from '../../test/fixtures.ts'
import { VaultIntegrityError, VaultKeyUnavailableError } from '../errors.ts'
import { type KeyConfig, keysFromConfig, keysFromFile } from './from-config.ts'

afterAll(removeFolders)
const aad = Buffer.from('place')
const secret = randomBytes(32)

describe('configured key-encryption keys', () => {
  test('wrap under the current key and open under every configured one', async () => {
    const [k1, k2] = [newKeyConfig('k1'), newKeyConfig('k2')]
    const { keyId, wrapped } = await keysFromConfig({ current: k1 }).wrap(secret, aad)
    expect(keyId).toBe('k1')
    expect(wrapped.includes(secret)).toBe(false)
    const rotated = keysFromConfig({ current: k2, previous: [k1] })
    expect(await rotated.currentId()).toBe('k2')
    expect((await rotated.unwrap('k1', wrapped, aad)).equals(secret)).toBe(true)
    await expect(keysFromConfig({ current: k2 }).unwrap('k1', wrapped, aad)).rejects.toThrow(
      VaultKeyUnavailableError,
    )
  })

  test('reject another place, another key under the same id, and damaged bytes', async () => {
    const keys = keysFromConfig({ current: newKeyConfig('k1') })
    const { wrapped } = await keys.wrap(secret, aad)
    await expect(keys.unwrap('k1', wrapped, Buffer.from('elsewhere'))).rejects.toThrow(VaultIntegrityError)
    await expect(keys.unwrap('k1', wrapped.subarray(1), aad)).rejects.toThrow(VaultIntegrityError)
    const wrong = keysFromConfig({ current: newKeyConfig('k1') })
    await expect(wrong.unwrap('k1', wrapped, aad)).rejects.toThrow(VaultIntegrityError)
  })

  const good = newKeyConfig('k1')
  test.each<[string, KeyConfig]>([
    ['no key', { current: { id: 'k1', key: '' } }],
    ['a short key', { current: { id: 'k1', key: randomBytes(16).toString('base64') } }],
    ['a key in hex', { current: { id: 'k1', key: randomBytes(32).toString('hex') } }],
    ['a key of one byte repeated', { current: { id: 'k1', key: Buffer.alloc(32, 7).toString('base64') } }],
    ['an id that is none', { current: { id: 'k 1', key: good.key } }],
    ['two keys of one id', { current: good, previous: [newKeyConfig('k1')] }],
    ['an unknown field', { current: good, old: [] } as KeyConfig],
  ])('are rejected with %s, and the message does not contain the key', (_, config) => {
    const attempt = () => keysFromConfig(config)
    expect(attempt).toThrow(VaultKeyUnavailableError)
    try {
      attempt()
    } catch (error) {
      const { key } = config.current
      if (key) expect((error as Error).message).not.toContain(key)
    }
  })

  test('are read from a file, which is created once even by concurrent first starts', async () => {
    const path = newFolder()
    mkdirSync(dirname(path), { recursive: true })
    await expect(keysFromFile(path)).rejects.toThrow(VaultKeyUnavailableError)
    const started = await Promise.all([1, 2, 3].map(() => keysFromFile(path, { createIfMissing: true })))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const { keyId, wrapped } = await started[0]!.wrap(secret, aad)
    for (const keys of [...started, await keysFromFile(path)])
      expect((await keys.unwrap(keyId, wrapped, aad)).equals(secret)).toBe(true)
  })

  test('in a file that is not JSON are rejected without quoting it', async () => {
    const path = newFolder()
    writeFileSync(path, `current=${good.key}`)
    const reading = keysFromFile(path)
    await expect(reading).rejects.toThrow(VaultKeyUnavailableError)
    await expect(reading).rejects.toThrow(expect.not.stringContaining(good.key) as unknown as string)
    expect(readFileSync(path, 'utf8')).toContain(good.key)
  })
})
