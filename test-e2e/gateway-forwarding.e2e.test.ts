import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Upstreams } from '@kyc/service-gateway'
import { type GatewayAlone, startGatewayAlone, upstreamNames } from './support/gateway-alone.ts'
import { exchange, readAnswers } from './support/raw-client.ts'
import { okAnswer, type RawUpstream, startRawUpstream, type UpstreamRequest } from './support/raw-upstream.ts'
import { until } from './support/until.ts'

/** The upstream's response to the next requests; undefined writes nothing. */
type Script = (request: UpstreamRequest, socket: Socket) => string | undefined
const usual: Script = () => okAnswer

const maxWaiting = 16
const timeoutSeconds = 2
let script: Script = usual
let upstream: RawUpstream
let gateway: GatewayAlone

beforeAll(async () => {
  upstream = await startRawUpstream((request, socket) => script(request, socket))
  const urls = Object.fromEntries(upstreamNames.map((name) => [name, upstream.url])) as Upstreams
  gateway = await startGatewayAlone(urls, { maxWaiting, timeoutSeconds })
})
afterAll(async () => {
  await gateway?.close()
  upstream?.close()
})
afterEach(() => {
  script = usual
  upstream.requests.length = 0
})

const request = (method: string, path: string, lines: readonly string[] = [], body = '') =>
  [`${method} ${path} HTTP/1.1`, 'host: a', `x-api-key: ${gateway.key}`, ...lines, '', body].join('\r\n')
const last = ['connection: close']
const send = (method: string, path: string, lines: readonly string[] = last) =>
  exchange(gateway.port, request(method, path, lines))
const first = async (method: string, path: string) =>
  readAnswers((await send(method, path)).text, [method])[0]
const answerOf = (status: string, lines: readonly string[], body = '') =>
  [`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n')

const metric = async (name: string, labels = ''): Promise<number> => {
  const text = await gateway.harness.deps.metrics.registry.metrics()
  const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(labels))
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('a response of a service', () => {
  test('loses its connection headers, and those that `connection` names', async () => {
    script = () =>
      answerOf(
        '200 OK',
        [
          'connection: keep-alive, x-hop',
          'keep-alive: timeout=1',
          'x-hop: 1',
          'x-own: 1',
          'set-cookie: a=1',
          'set-cookie: b=2',
          'content-length: 2',
        ],
        'ok',
      )
    const { text } = await send('GET', '/v1/sessions')
    expect(text).toMatch(/x-own: 1\r\n/)
    expect(text.match(/set-cookie: /g)).toHaveLength(2)
    expect(text).not.toMatch(/x-hop|timeout=1/)
    expect(text.match(/connection: /gi)).toHaveLength(1)
  })

  test.each([
    [
      'a bare carriage return in a header',
      answerOf('200 OK', ['x-a: b\rset-cookie: evil=1', 'content-length: 2'], 'ok'),
    ],
    [
      'a bare line feed in a header',
      answerOf('200 OK', ['x-a: b\nset-cookie: evil=1', 'content-length: 2'], 'ok'),
    ],
    ['two lengths', answerOf('200 OK', ['content-length: 2', 'content-length: 3'], 'okk')],
    [
      'length and chunked',
      answerOf('200 OK', ['content-length: 2', 'transfer-encoding: chunked'], '2\r\nok\r\n0\r\n\r\n'),
    ],
    [
      '101 that nobody asked for',
      answerOf('101 Switching Protocols', ['upgrade: h2c', 'connection: upgrade']),
    ],
    ['no HTTP', 'hello\r\n\r\n'],
  ])('with %s is a fault of the service: 503, and nothing of it is forwarded', async (_, text) => {
    script = () => text
    const answer = await first('POST', '/v1/webhook-deliveries/x/redeliver')
    expect(answer?.status).toBe(503)
    expect(answer?.headers['set-cookie']).toBeUndefined()
  })

  test('that contains more than one response is not used as the response to the next request', async () => {
    script = () => `${okAnswer}${answerOf('200 OK', ['x-poison: 1', 'content-length: 2'], 'no')}`
    expect((await first('GET', '/v1/sessions'))?.status).toBe(200)
    script = usual
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await first('GET', '/v1/sessions')
      expect([answer?.status, answer?.headers['x-poison'], answer?.body]).toEqual([
        200,
        undefined,
        '{"ok":true}',
      ])
    }
  })

  test('that breaks off ends the client’s connection, so that it is not mistaken for complete', async () => {
    script = (_, socket) => {
      socket.end(answerOf('200 OK', ['content-length: 100'], 'half'))
      return undefined
    }
    const { text, closed } = await send('GET', '/v1/sessions', [])
    expect(closed).toBe(true)
    expect(text.endsWith('half')).toBe(true)
    script = (_, socket) => {
      socket.end(answerOf('200 OK', ['transfer-encoding: chunked'], '4\r\nhalf\r\n'))
      return undefined
    }
    const streamed = await send('GET', '/v1/sessions', [])
    expect(streamed.closed).toBe(true)
    expect(streamed.text).not.toContain('0\r\n\r\n')
  })

  test('may be preceded by informational ones, which are not forwarded', async () => {
    script = () => `${answerOf('103 Early Hints', ['link: </x>'])}${okAnswer}`
    const { text } = await send('GET', '/v1/sessions')
    expect(readAnswers(text, []).map(({ status }) => status)).toEqual([200])
  })

  test.each([
    ['204 No Content', 204],
    ['304 Not Modified', 304],
  ])('without a body (%s) ends after its headers', async (line, status) => {
    script = () => answerOf(line, ['etag: "a"'])
    const text = request('GET', '/v1/sessions')
    const { text: answered } = await exchange(gateway.port, `${text}${request('GET', '/health', last)}`)
    expect(readAnswers(answered, []).map((answer) => answer.status)).toEqual([status, 200])
  })

  test('to HEAD is that to GET without its body, whatever its size', async () => {
    for (const size of [10, 200_000]) {
      script = () => answerOf('200 OK', ['x-own: 1', `content-length: ${size}`], 'x'.repeat(size))
      const head = request('HEAD', '/v1/sessions')
      const { text } = await exchange(gateway.port, `${head}${request('GET', '/health', last)}`)
      const [answer, next] = readAnswers(text, ['HEAD'])
      expect([answer?.status, answer?.headers['content-length'], answer?.headers['x-own']]).toEqual([
        200,
        String(size),
        '1',
      ])
      expect(next?.status).toBe(200)
    }
    expect(upstream.requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  test('is requested once more if an idle connection was closed under a GET, and never for a POST', async () => {
    let cuts = 0
    script = (_, socket) => {
      if (cuts++ > 0) return okAnswer
      socket.destroy()
      return undefined
    }
    expect((await first('GET', '/v1/sessions'))?.status).toBe(200)
    cuts = 0
    expect((await first('POST', '/v1/webhook-deliveries/x/redeliver'))?.status).toBe(503)
    expect(upstream.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})

describe('a stream', () => {
  test('arrives as it is written, and ends upstream when the client leaves', async () => {
    const streams: Socket[] = []
    script = (_, socket) => {
      streams.push(socket)
      return answerOf('200 OK', ['content-type: text/event-stream', 'transfer-encoding: chunked'])
    }
    const client = connect(gateway.port, '127.0.0.1')
    let text = ''
    client.on('data', (chunk) => {
      text += chunk.toString()
    })
    client.write(request('GET', '/console/api/apps/a/live'))
    await until(
      async () => text,
      (heard) => heard.includes('text/event-stream'),
    )
    expect(await metric('gateway_waiting_requests', 'upstream="console"')).toBe(0)
    for (const event of ['one', 'two']) {
      streams[0]?.write(`5\r\n${event}\n\n\r\n`)
      await until(
        async () => text,
        (heard) => heard.includes(event),
      )
    }
    const ended = once(streams[0] as Socket, 'close')
    client.destroy()
    await ended
  })

  test('is read from the service only as fast as the client reads it', async () => {
    const megabytes = 64
    let written = 0
    script = (_, socket) => {
      const chunk = Buffer.alloc(1024 * 1024)
      const more = () => {
        while (written < megabytes) {
          written++
          if (!socket.write(chunk)) {
            socket.once('drain', more)
            return
          }
        }
      }
      setImmediate(more)
      return answerOf('200 OK', [`content-length: ${megabytes * 1024 * 1024}`])
    }
    const client = connect(gateway.port, '127.0.0.1')
    client.pause()
    client.on('error', () => undefined)
    client.write(request('GET', '/v1/sessions'))
    await until(
      async () => upstream.requests.length,
      (count) => count === 1,
    )
    const closed = once(client, 'close')
    // A client that never reads is disconnected after the deadline, and so is the connection to the service.
    await until(
      async () => upstream.open(),
      (count) => count === 0,
    )
    expect(written).toBeLessThan(megabytes)
    client.destroy()
    await closed
  }, 40_000)
})

describe('a body', () => {
  const upload = (length: number, token = 'token') =>
    request('POST', `/flow/${token}/document`, [
      'content-type: multipart/form-data; boundary=x',
      `content-length: ${length}`,
    ])

  test('is requested with 100 Continue only if it is needed', async () => {
    const socket = connect(gateway.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    const body = '{}'
    socket.write(
      request('POST', '/v1/sessions', [
        'content-type: application/json',
        `content-length: ${body.length}`,
        'expect: 100-continue',
      ]),
    )
    await until(
      async () => text,
      (heard) => heard.startsWith('HTTP/1.1 100 Continue\r\n\r\n'),
    )
    socket.write(body)
    await until(
      async () => text,
      (heard) => heard.includes('HTTP/1.1 200'),
    )
    expect(upstream.requests[0]?.body.toString()).toBe(body)
    expect(upstream.requests[0]?.headers.find(([name]) => name === 'expect')).toBeUndefined()
    socket.destroy()
    const refused = await exchange(
      gateway.port,
      request('POST', '/v1/sessions', ['content-length: 70000', 'expect: 100-continue']),
    )
    expect(refused.text).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('that is too large without an announced length is rejected while it is read', async () => {
    const chunk = 'x'.repeat(40_000)
    const text = request(
      'POST',
      '/v1/sessions',
      ['transfer-encoding: chunked'],
      `9c40\r\n${chunk}\r\n9c40\r\n${chunk}\r\n0\r\n\r\n`,
    )
    const [answer] = readAnswers((await exchange(gateway.port, text)).text, [])
    expect([answer?.status, answer?.headers.connection]).toEqual([400, 'close'])
    expect(upstream.requests).toEqual([])
  })

  test('of one-byte chunks uses only the memory of its bytes', async () => {
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write(
      request('POST', '/flow/token/document', [
        'content-type: multipart/form-data; boundary=x',
        'transfer-encoding: chunked',
      ]),
    )
    socket.write('1\r\na\r\n'.repeat(300_000))
    await until(
      () => metric('gateway_body_bytes', 'size="large"'),
      (bytes) => bytes >= 300_000,
    )
    expect(await metric('gateway_body_bytes', 'size="large"')).toBeLessThan(1_200_000)
    socket.destroy()
    await until(
      () => metric('gateway_body_bytes', 'size="large"'),
      (bytes) => bytes === 0,
    )
  })

  test('that never arrives takes no waiting slot: 500 from one address, and every other caller is served', async () => {
    const sockets = Array.from({ length: 500 }, (_, index) => {
      const socket = connect(gateway.port, '127.0.0.1')
      socket.on('error', () => undefined)
      const login = request('POST', '/console/api/login', [
        'content-type: application/json',
        'content-length: 50',
      ])
      const check = request('POST', '/v1/checks/pan', [
        'content-type: application/json',
        'content-length: 50',
      ])
      socket.write([login, check, upload(5_000_000, `slow-${index}`)][index % 3] as string)
      socket.write('x')
      return socket
    })
    await until(
      () => new Promise<number>((resolve) => gateway.connections((count) => resolve(count))),
      (count) => count >= 500,
    )
    // Their first byte was read, so each uses the memory of one small buffer.
    await until(
      () => metric('gateway_body_bytes', 'size="large"'),
      (bytes) => bytes > 0,
    )
    for (const service of ['console', 'checks', 'flow']) {
      expect(await metric('gateway_waiting_requests', `upstream="${service}"`)).toBe(0)
    }
    const bodies: [string, string][] = [
      ['/console/api/login', '{"email":"a","password":"b"}'],
      ['/v1/checks/pan', '{"pan":"x"}'],
      ['/flow/other/document', 'x'.repeat(100_000)],
    ]
    const answers = await Promise.all(
      Array.from({ length: 36 }, (_, index) => {
        const [path, body] = bodies[index % 3] as [string, string]
        const lines = ['content-type: application/json', `content-length: ${body.length}`, ...last]
        return exchange(gateway.port, request('POST', path, lines, body))
      }),
    )
    expect(answers.map(({ text }) => Number(text.slice(9, 12)))).toEqual(Array(36).fill(200))
    for (const socket of sockets) socket.destroy()
    await until(
      () => metric('gateway_body_bytes', 'size="large"'),
      (bytes) => bytes === 0,
    )
  }, 60_000)
})

describe('waiting slots', () => {
  test('are never all used by one caller or by long polls', async () => {
    const hanging = new Set<Socket>()
    script = ({ target }, socket) => {
      if (target.includes('free')) return okAnswer
      hanging.add(socket)
      return undefined
    }
    expect((await first('GET', '/flow/free/state'))?.status).toBe(200)
    // Long polls are counted separately; the rest is one caller: an address without a credential.
    const polls = Array.from({ length: 40 }, (_, index) => send('GET', `/flow/mine-${index}/changes`))
    const pages = Array.from({ length: 40 }, (_, index) => send('GET', `/flow-assets/mine-${index}.js`))
    await until(
      () => metric('gateway_waiting_requests', 'upstream="flow"'),
      (count) => count === 40 + (maxWaiting * 3) / 4,
    )
    expect((await first('GET', '/flow-assets/free.js'))?.status).toBe(503)
    expect((await first('POST', '/flow/free/submit'))?.status).toBe(200)
    script = usual
    await until(
      () => metric('gateway_waiting_requests', 'upstream="flow"'),
      (count) => count === 0,
      20_000,
    )
    const statuses = (await Promise.all([...polls, ...pages])).map(({ text }) => Number(text.slice(9, 12)))
    expect(statuses.filter((status) => status !== 503)).toEqual([])
  }, 40_000)
})
