import { createServer as createHttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { closeReceivers, listen, receiver, respond } from '../test/receivers.ts'
import { createOutboundClient } from './client.ts'
import type { Resolver } from './resolver.ts'

afterEach(closeReceivers)

function client(options: { resolver?: Resolver } = {}) {
  return createOutboundClient({ allowPrivate: true, ownAddresses: [], logger: silentLogger, ...options })
}
const post = (url: string, timeoutMs = 10_000) => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"name":"Zoë 北京"}'),
  timeoutMs,
  maxBodyBytes: 256,
})

describe('a response', () => {
  test('of 200 with a body under the limit is complete', async () => {
    const { url } = await receiver(respond('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    const outcome = await client().send(post(url))
    expect(outcome).toMatchObject({ status_code: 200, body_excerpt: Buffer.from('ok') })
    expect(outcome.error).toBeUndefined()
  })

  test('of 204, after interim responses, is complete', async () => {
    const interim = 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)
    const { url } = await receiver(respond(`${interim}HTTP/1.1 204 No Content\r\n\r\n`))
    const outcome = await client().send(post(url))
    expect(outcome).toMatchObject({ status_code: 204, body_excerpt: Buffer.alloc(0) })
    expect(outcome.error).toBeUndefined()
  })

  test.each([500, 410, 429])('of %d is reported unchanged', async (status) => {
    const { url } = await receiver(
      respond(`HTTP/1.1 ${status} X\r\nretry-after: 9\r\ncontent-length: 1\r\n\r\n!`),
    )
    expect(await client().send(post(url))).toMatchObject({
      status_code: status,
      body_excerpt: Buffer.from('!'),
    })
  })

  test.each([301, 302, 303, 307, 308])('of %d is never followed', async (status) => {
    const target = await receiver(respond('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const { url } = await receiver(
      respond(`HTTP/1.1 ${status} Moved\r\nlocation: ${target.url}\r\ncontent-length: 0\r\n\r\n`),
    )
    expect(await client().send(post(url))).toMatchObject({ status_code: status })
    expect(target.connections()).toBe(0)
  })

  test('that exceeds the excerpt is truncated, and the socket is closed', async () => {
    let sent = 0
    let closed: () => void
    const end = new Promise<void>((done) => {
      closed = done
    })
    const { url } = await receiver((socket) => {
      socket.once('close', () => closed())
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const chunk = Buffer.alloc(65_536, 'x')
      const pump = () => {
        while (!socket.destroyed) {
          sent += chunk.length
          if (!socket.write(chunk)) return
        }
      }
      socket.on('drain', pump)
      pump()
    })
    const outcome = await client().send(post(url))
    expect(outcome).toMatchObject({ status_code: 200, body_excerpt: Buffer.alloc(256, 'x') })
    expect(outcome.error).toBeUndefined()
    await end
    expect(sent).toBeLessThan(32_000_000)
  })

  test('that is compressed is returned as received, not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000))
    const { url } = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.end(bomb)
    })
    expect((await client().send(post(url))).body_excerpt).toEqual(bomb.subarray(0, 256))
  })

  test('with endless headers fails without being buffered', async () => {
    const { url } = await receiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const pump = () => {
        while (!socket.destroyed && socket.write(`x-a: ${'b'.repeat(8_000)}\r\n`));
      }
      socket.on('drain', pump)
      pump()
    })
    expect(await client().send(post(url))).toMatchObject({
      status_code: null,
      error: { code: 'invalid_response', message: expect.stringContaining('HPE_HEADER_OVERFLOW') },
    })
  })

  test('that is not HTTP fails', async () => {
    const { url } = await receiver(respond('SSH-2.0-OpenSSH_9.2\r\n'))
    expect(await client().send(post(url))).toMatchObject({ error: { code: 'invalid_response' } })
  })

  test.each([
    ['resets', (socket: Socket) => void socket.resetAndDestroy(), null],
    ['closes at once', (socket: Socket) => void socket.destroy(), null],
    ['closes after headers', respond('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'), 200],
    ['closes in mid-chunk', respond('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nabc'), 200],
  ])('of a receiver that %s is incomplete', async (_, answer, status) => {
    const { url } = await receiver(answer)
    expect(await client().send(post(url))).toMatchObject({
      status_code: status,
      error: { code: 'connection_reset' },
    })
  })
})

describe('the deadline holds for', () => {
  const drip = (prefix: string) => (socket: Socket) => {
    socket.write(prefix)
    const timer = setInterval(() => socket.write('x'), 20)
    socket.once('close', () => clearInterval(timer))
  }
  test.each([
    ['a receiver that never answers', () => {}, null, 200],
    ['headers that drip', drip('HTTP/1.1 200 OK\r\nx-a: '), null, 200],
    // Enough time for the status line to arrive on a busy machine.
    ['a body that drips', drip('HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\n'), 200, 1_500],
  ])('%s', async (_, answer, status, timeoutMs) => {
    const { url } = await receiver(answer)
    const outcome = await client().send(post(url, timeoutMs))
    expect(outcome).toMatchObject({ status_code: status, error: { code: 'timeout' } })
    expect(outcome.duration_ms).toBeGreaterThanOrEqual(timeoutMs - 1)
    expect(outcome.duration_ms).toBeLessThan(timeoutMs + 3_000)
  })

  test('a resolver that never responds', async () => {
    const hanging = client({ resolver: () => new Promise(() => {}) })
    const outcome = await hanging.send(post('http://hooks.example.com/', 100))
    expect(outcome).toMatchObject({ status_code: null, error: { code: 'timeout' } })
  })

  test('a TLS handshake that never ends', async () => {
    const { port } = await receiver(() => {})
    const outcome = await client().send(post(`https://127.0.0.1:${port}/`, 200))
    expect(outcome).toMatchObject({ status_code: null, error: { code: 'timeout' } })
  })
})

describe('the connection', () => {
  test('goes to the checked address, with one lookup and the name in the host header', async () => {
    const sentinel = await receiver(respond('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), '127.0.0.2')
    const hosts: (string | undefined)[] = []
    const server = createHttpServer((req, res) => {
      hosts.push(req.headers.host)
      res.end()
    })
    await listen(server, '127.0.0.1', sentinel.port)
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
    let calls = 0
    const outcome = await client({ resolver: async () => answers[calls++] ?? [] }).send(
      post(`http://rebind.example.com:${sentinel.port}/`),
    )
    expect(outcome).toMatchObject({ status_code: 200 })
    expect(hosts).toEqual([`rebind.example.com:${sentinel.port}`])
    expect([calls, sentinel.connections()]).toEqual([1, 0])
  })

  test('that is refused is one attempt', async () => {
    const gone = await receiver(() => {})
    await closeReceivers()
    expect(await client().send(post(gone.url))).toMatchObject({
      status_code: null,
      error: { code: 'connection_refused', message: expect.stringContaining('ECONNREFUSED') },
    })
  })

  test('that is reset is not retried', async () => {
    const { url, connections } = await receiver((socket) => void socket.resetAndDestroy())
    await client().send(post(url))
    expect(connections()).toBe(1)
  })

  test('ignores the proxy environment variables', async () => {
    const proxy = await receiver(respond('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const direct = await receiver(respond('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n'))
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = proxy.url
    try {
      expect(await client().send(post(direct.url))).toMatchObject({ status_code: 202 })
      expect(proxy.connections()).toBe(0)
    } finally {
      names.forEach((name, i) => {
        if (before[i] === undefined) delete process.env[name]
        else process.env[name] = before[i]
      })
    }
  })

  test.each([
    ['empty', async () => []],
    ['an error', async () => Promise.reject(Object.assign(new Error('x'), { code: 'SERVFAIL' }))],
  ])('is not made when the resolver returns %s', async (_, resolver) => {
    const outcome = await client({ resolver }).send(post('http://hooks.example.com/'))
    expect(outcome).toMatchObject({ status_code: null, error: { code: 'name_not_resolved' } })
  })

  test('is not made when one of a thousand addresses is forbidden', async () => {
    const many = Array.from({ length: 1000 }, (_, i) =>
      i === 999 ? '169.254.169.254' : `8.8.${i >> 8}.${i & 255}`,
    )
    const outcome = await client({ resolver: async () => many }).send(post('http://hooks.example.com/'))
    expect(outcome).toMatchObject({ status_code: null, error: { code: 'destination_refused' } })
  })
})
