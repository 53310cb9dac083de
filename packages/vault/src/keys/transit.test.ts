import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { FakeTransit } from '../../test/fake-transit.ts'
import { testTransitContract } from '../../test/transit-contract.ts'
import { VaultKeyUnavailableError } from '../errors.ts'
import { transitKeys } from './transit.ts'

describe('keys in a key manager with the Transit API', () => {
  const transit = new FakeTransit()
  let address = ''
  beforeAll(async () => {
    address = await transit.start()
  })
  afterAll(() => transit.stop())
  const keysOf = (more: object = {}) =>
    transitKeys({ address, token: async () => transit.token, keyName: 'kyc', ...more })
  const secret = randomBytes(32)

  testTransitContract(() => ({ address, token: transit.token }))

  test('are unavailable while the manager is sealed, unreachable or without that key', async () => {
    await expect(keysOf({ keyName: 'nobody-made-it' }).wrap(secret, secret)).rejects.toThrow(/not found/)
    transit.sealed = true
    const sealed = keysOf().wrap(secret, secret)
    await expect(sealed).rejects.toThrow(VaultKeyUnavailableError)
    await expect(sealed).rejects.toThrow(/503.*sealed/)
    transit.sealed = false
    const away = keysOf({ address: 'http://127.0.0.1:1' }).wrap(secret, secret)
    await expect(away).rejects.toThrow(VaultKeyUnavailableError)
  })

  test('are requested in the configured namespace', async () => {
    await keysOf({ namespace: 'bank/kyc' })
      .wrap(secret, secret)
      .catch(() => undefined)
    expect(transit.namespaces.at(-1)).toBe('bank/kyc')
  })

  test.each([
    ['silence', () => undefined, { timeoutMs: 50 }],
    ['a redirect', () => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: '' }), {}],
    ['a page', () => ({ status: 200, headers: {}, body: '<html>' }), {}],
    ['another ciphertext', () => ({ status: 200, headers: {}, body: '{"data":{"ciphertext":"x"}}' }), {}],
  ])('are unavailable after %s as the response', async (_, answering, more) => {
    const server = createServer((_request, response) => {
      const answer = answering()
      if (answer) response.writeHead(answer.status, answer.headers).end(answer.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const bound = server.address()
    const port = typeof bound === 'object' && bound ? bound.port : 0
    const wrapping = keysOf({ address: `http://127.0.0.1:${port}`, ...more }).wrap(secret, secret)
    await expect(wrapping).rejects.toThrow(VaultKeyUnavailableError)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test.each([{ keyName: '../sys/raw' }, { mount: 'transit/../sys' }, { keyName: '' }])(
    'are rejected under a name that would change the request path: %j',
    (more) => {
      expect(() => keysOf(more)).toThrow(VaultKeyUnavailableError)
    },
  )
})
