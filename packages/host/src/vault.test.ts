import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ConfigError, silentLogger, systemClock } from '@kyc/runtime'
import { openVault, rotateKeys, type VaultSettings } from './vault.ts'

const options = { clock: systemClock, logger: silentLogger }
const scope = { app_id: 'app_settings', session_id: 'ses_settings' }
const newKey = () => randomBytes(32).toString('base64')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-vault-settings-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const store = (name: string) => `folder:${join(folder, name)}`
const open = (settings: VaultSettings) => openVault(settings, options)

describe('the settings of the vault', () => {
  test.each<[string, Partial<VaultSettings>, string]>([
    ['no key', {}, 'none is set'],
    ['two keys', { VAULT_KEY: newKey(), VAULT_KEY_FILE: '/k.json' }, 'VAULT_KEY and VAULT_KEY_FILE'],
    [
      'a key manager without a key name',
      { VAULT_TRANSIT_ADDRESS: 'http://127.0.0.1:1' },
      'VAULT_TRANSIT_KEY',
    ],
    [
      'a key manager without a token',
      { VAULT_TRANSIT_ADDRESS: 'http://127.0.0.1:1', VAULT_TRANSIT_KEY: 'kyc' },
      'VAULT_TRANSIT_TOKEN',
    ],
    ['a ledger nowhere', { VAULT_KEY: newKey(), VAULT_LEDGER: '/ledger' }, 'VAULT_LEDGER'],
  ])('with %s are rejected, naming the variable', (_, settings, named) => {
    const attempt = () => open({ VAULT_STORE: store('refused'), ...settings })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(named)
  })

  test('read the keys from a file; an invalid file prevents startup without being quoted', async () => {
    const file = join(folder, 'keys.json')
    const key = newKey()
    await writeFile(file, JSON.stringify({ current: { id: 'f1', key } }))
    const vault = open({ VAULT_STORE: store('file'), VAULT_KEY_FILE: file })
    await vault.check()
    const sealed = await vault.seal(scope, 'test', 'a name')
    const same = open({ VAULT_STORE: store('file'), VAULT_KEY: key, VAULT_KEY_ID: 'f1' })
    expect(await same.open(scope, 'test', sealed)).toBe('a name')

    await writeFile(file, `{"current": {"id": "f1", "key": "${key}"`)
    const broken = open({ VAULT_STORE: store('file'), VAULT_KEY_FILE: file }).check()
    await expect(broken).rejects.toThrow('not JSON')
    await expect(broken).rejects.not.toThrow(key.slice(0, 8))
  })

  test('can separate the ledger: a restored copy of the files does not bring a purged session back', async () => {
    const settings = { VAULT_KEY: newKey(), VAULT_STORE: store('apart'), VAULT_LEDGER: store('ledger') }
    const vault = open(settings)
    await vault.check()
    await vault.seal(scope, 'test', 'a name')
    await vault.destroy(scope)
    const elsewhere = open({ ...settings, VAULT_STORE: store('restored') })
    await expect(elsewhere.seal(scope, 'test', 'a name')).rejects.toMatchObject({
      name: 'VaultKeyDestroyedError',
    })
    const known: unknown[] = []
    for await (const purged of elsewhere.purged()) known.push(purged)
    expect(known).toEqual([scope])
  })

  test('can change the key-encryption key: after a rotation, the old one is not needed any more', async () => {
    const [old, next] = [newKey(), newKey()]
    const before = open({ VAULT_STORE: store('rotated'), VAULT_KEY: old, VAULT_KEY_ID: 'k1' })
    await before.check()
    const sealed = await before.seal(scope, 'test', 'a name')
    const between = open({
      VAULT_STORE: store('rotated'),
      VAULT_KEY: next,
      VAULT_KEY_ID: 'k2',
      VAULT_PREVIOUS_KEYS: `k1=${old}`,
    })
    await between.check()
    expect(await rotateKeys(between)).toMatchObject({ session_keys_rewrapped: 1, failed: 0 })
    const after = open({ VAULT_STORE: store('rotated'), VAULT_KEY: next, VAULT_KEY_ID: 'k2' })
    await after.check()
    expect(await after.open(scope, 'test', sealed)).toBe('a name')
  })
})

describe('a key manager', () => {
  let server: Server
  const tokens: unknown[] = []
  beforeAll(async () => {
    // The two Transit calls that the vault uses. The tests of the vault package cover the whole contract.
    server = createServer((request, response) => {
      tokens.push(request.headers['x-vault-token'])
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as {
          plaintext?: string
          ciphertext?: string
        }
        const data = request.url?.includes('/encrypt/')
          ? { ciphertext: `vault:v1:${body.plaintext}` }
          : { plaintext: body.ciphertext?.slice('vault:v1:'.length) }
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resume) => server.once('listening', resume))
  })
  afterAll(() => void server.close())

  test('is called with the token from a file, which is read again for each call', async () => {
    const file = join(folder, 'token')
    const vault = open({
      VAULT_STORE: store('managed'),
      VAULT_TRANSIT_ADDRESS: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      VAULT_TRANSIT_KEY: 'kyc',
      VAULT_TRANSIT_TOKEN_FILE: file,
    })
    await writeFile(file, 'first\n')
    await vault.check()
    await writeFile(file, 'second\n')
    await vault.check()
    expect(tokens[0]).toBe('first')
    expect(tokens.at(-1)).toBe('second')
  })
})
