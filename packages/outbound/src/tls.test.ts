import { once } from 'node:events'
import { createServer } from 'node:https'
import { connect } from 'node:tls'
import { afterEach, describe, expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { certificate, closeReceivers, hasOpenssl, listen } from '../test/receivers.ts'
import { createOutboundClient } from './client.ts'

afterEach(closeReceivers)

const present = hasOpenssl()
if (!present) console.warn('skipped: the TLS cases need the openssl command')
const suite = present ? describe : describe.skip

const now = { from: '20200101000000Z', to: '20991231000000Z' }
const past = { from: '20200101000000Z', to: '20200102000000Z' }
const future = { from: '20980101000000Z', to: '20991231000000Z' }

suite('TLS', () => {
  async function httpsReceiver(pair: { key: string; cert: string }, maxVersion?: 'TLSv1.1') {
    // Security level 0 lets the test server offer versions that the client must reject.
    const old = maxVersion ? { maxVersion, minVersion: 'TLSv1' as const, ciphers: 'DEFAULT@SECLEVEL=0' } : {}
    return listen(createServer({ ...pair, ...old }, (_, res) => void res.end('ok')))
  }
  const post = (host: string, port: number, certificateAuthority?: string) =>
    createOutboundClient({
      resolver: async () => ['127.0.0.1'],
      allowPrivate: true,
      ownAddresses: [],
      logger: silentLogger,
      certificateAuthority,
    }).send({
      url: `https://${host}:${port}/`,
      headers: {},
      body: Buffer.from('{}'),
      timeoutMs: 10_000,
      maxBodyBytes: 256,
    })
  /** The protocol version that a client without a minimum version negotiates with the receiver. */
  async function protocolOf(port: number, ca: string) {
    const options = { ca, servername: 'hooks.example.com', minVersion: 'TLSv1' as const }
    const socket = connect({ port, host: '127.0.0.1', ciphers: 'DEFAULT@SECLEVEL=0', ...options })
    await once(socket, 'secureConnect')
    const protocol = socket.getProtocol()
    socket.destroy()
    return protocol
  }
  const refused = (detail: string) => ({
    status_code: null,
    error: { code: 'tls_failed', message: expect.stringContaining(detail) },
  })

  test('verifies the name even though the address is pinned', async () => {
    const pair = certificate('hooks.example.com', now)
    const { port } = await httpsReceiver(pair)
    expect(await post('hooks.example.com', port, pair.cert)).toMatchObject({ status_code: 200 })
    expect(await post('other.example.com', port, pair.cert)).toMatchObject(refused('ALTNAME_INVALID'))
  })

  test('rejects a certificate without a trusted authority, whatever the environment says', async () => {
    const { port } = await httpsReceiver(certificate('hooks.example.com', now))
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await post('hooks.example.com', port)).toMatchObject(refused('SELF_SIGNED_CERT'))
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
  })

  test.each([
    ['expired', past, 'CERT_HAS_EXPIRED'],
    ['not yet valid', future, 'CERT_NOT_YET_VALID'],
  ])('rejects a certificate that is %s', async (_, validity, detail) => {
    const pair = certificate('hooks.example.com', validity)
    const { port } = await httpsReceiver(pair)
    expect(await post('hooks.example.com', port, pair.cert)).toMatchObject(refused(detail))
  })

  test('rejects a version before TLS 1.2', async () => {
    const pair = certificate('hooks.example.com', now)
    const { port } = await httpsReceiver(pair, 'TLSv1.1')
    // The receiver really uses TLS 1.1 with a client that allows it.
    expect(await protocolOf(port, pair.cert)).toBe('TLSv1.1')
    expect(await post('hooks.example.com', port, pair.cert)).toMatchObject(refused('EPROTO'))
  })
})
