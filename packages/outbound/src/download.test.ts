import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { certificate, closeReceivers, hasOpenssl, listen } from '../test/receivers.ts'
import { createOutboundClient } from './client.ts'

afterEach(closeReceivers)

const client = (certificateAuthority?: string) =>
  createOutboundClient({
    resolver: async (name) => (name === 'inside.example.com' ? ['169.254.169.254'] : ['127.0.0.1']),
    allowPrivate: true,
    ownAddresses: [],
    logger: silentLogger,
    certificateAuthority,
  })
const serve = (listener: RequestListener) => listen(createServer(listener))
const limits = { maxBytes: 1_000_000, timeoutMs: 10_000 }

describe('a download', () => {
  test('streams the body with its status and headers, and sends the given headers', async () => {
    const { url } = await serve((req, res) => {
      res.setHeader('etag', '"7"')
      res.end(`seen ${req.headers['if-none-match']}, ${req.headers['accept-encoding']}`)
    })
    const got = await client().download(url, { ...limits, headers: { 'if-none-match': '"6"' } })
    expect([got.status_code, got.headers.etag, got.url]).toEqual([200, '"7"', url])
    expect(await text(got.body)).toBe('seen "6", undefined')
  })

  test('of 304 has an empty body', async () => {
    const { url } = await serve((_, res) => void res.writeHead(304).end())
    const got = await client().download(url, limits)
    expect([got.status_code, await text(got.body)]).toEqual([304, ''])
  })

  test('beyond its size limit fails, and never buffers more', async () => {
    const { url } = await serve((_, res) => {
      const pump = () => {
        while (!res.destroyed && res.write(Buffer.alloc(65_536)));
      }
      res.on('drain', pump)
      pump()
    })
    const got = await client().download(url, limits)
    await expect(text(got.body)).rejects.toMatchObject({ code: 'too_large' })
  })

  test('that is truncated fails', async () => {
    const { url } = await serve((_, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => res.destroy())
    })
    const got = await client().download(url, limits)
    await expect(text(got.body)).rejects.toMatchObject({ code: 'connection_reset' })
  })

  test('that stalls ends at its deadline', async () => {
    const { url } = await serve((_, res) => void res.writeHead(200).write('half'))
    const got = await client().download(url, { ...limits, timeoutMs: 1_500 })
    await expect(text(got.body)).rejects.toMatchObject({ code: 'timeout' })
  })

  test('of a rejected destination throws before any connection', async () => {
    await expect(client().download('http://inside.example.com/', limits)).rejects.toMatchObject({
      code: 'destination_refused',
    })
  })
})

const present = hasOpenssl()
if (!present) console.warn('skipped: redirects of downloads need the openssl command')
;(present ? describe : describe.skip)('a redirect', () => {
  async function site(listener: (req: IncomingMessage, res: ServerResponse, origin: string) => void) {
    const pair = certificate('lists.example.com', { from: '20200101000000Z', to: '20991231000000Z' })
    const server = createHttpsServer(pair)
    const { port } = await listen(server)
    const origin = `https://lists.example.com:${port}`
    server.on('request', (req, res) => listener(req, res, origin))
    return {
      origin,
      get: (redirectHosts?: string[]) =>
        client(pair.cert).download(`${origin}/`, { ...limits, redirectHosts }),
    }
  }
  const redirect = (res: ServerResponse, location: string) => void res.writeHead(302, { location }).end()

  test('is rejected unless its host was named', async () => {
    const { get } = await site((req, res) => (req.url === '/' ? redirect(res, '/new') : void res.end('list')))
    await expect(get()).rejects.toMatchObject({ code: 'redirect_refused' })
    const got = await get(['lists.example.com'])
    expect(got.url).toMatch(/\/new$/)
    expect(await text(got.body)).toBe('list')
  })

  test.each([
    ['another host', 'https://elsewhere.example.com/', 'redirect_refused'],
    ['plain http', 'http://lists.example.com/', 'redirect_refused'],
    ['a named host whose address is forbidden', 'https://inside.example.com/', 'destination_refused'],
    ['no URL', 'https://:0:0/', 'redirect_refused'],
  ])('to %s is rejected', async (_, location, code) => {
    const { get } = await site((_req, res) => redirect(res, location))
    await expect(get(['lists.example.com', 'inside.example.com'])).rejects.toMatchObject({ code })
  })

  test('without end is rejected', async () => {
    let hops = 0
    const { get } = await site((_req, res) => {
      hops++
      redirect(res, '/again')
    })
    await expect(get(['lists.example.com'])).rejects.toMatchObject({ code: 'redirect_refused' })
    expect(hops).toBe(6)
  })
})
