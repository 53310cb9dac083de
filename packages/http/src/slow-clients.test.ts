import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { type RunningServer, startServer } from './server.ts'

/** A twentieth of the default limits, so that the test takes only seconds. */
const patience = { keepAliveMs: 1_500, headersMs: 800, requestMs: 2_000, checkEveryMs: 100 }
const each = 125
const head = 'POST /upload HTTP/1.1\r\nhost: localhost\r\n'

let server: RunningServer
let bodies = 0
beforeAll(async () => {
  server = await startServer(
    (request, response) => {
      request.on('data', () => {
        bodies++
      })
      request.on('error', () => undefined)
      request.on('end', () => response.end('done'))
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger, patience },
  )
})
afterAll(() => server.stop())

type Slow = { socket: Socket; heard: () => string; closed: Promise<number> }

/**
 * A client that sends `first`, and then a byte of `rest` on each call of `drip`; `closed`: after how many ms the server
 * closed the connection.
 */
function slowClient(first: string): Slow & { drip(byte: string): void } {
  const started = performance.now()
  const socket = connect(server.port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString()
  })
  socket.on('error', () => undefined)
  if (first) socket.write(first)
  const closed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - started)),
  )
  return {
    socket,
    heard: () => heard,
    closed,
    drip: (byte) => {
      if (socket.writable) socket.write(byte)
    },
  }
}

const ask = (agent: Agent) =>
  new Promise<{ status: number; ms: number }>((resolve, reject) => {
    const started = performance.now()
    get(server.url, { agent }, (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - started }))
    }).on('error', reject)
  })

const open = () =>
  new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)))

test('closes 500 sockets that send nothing, or a byte at a time, in time while it serves others', async () => {
  const many = (first: string) => Array.from({ length: each }, () => slowClient(first))
  const groups = {
    silent: many(''),
    headers: many(`${head}x-slow: `),
    body: many(`${head}content-length: 1000\r\n\r\n`),
    // One complete request, and then nothing.
    idle: many('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'),
  }
  const all = Object.values(groups).flat()
  const dripping = setInterval(() => {
    for (const client of groups.headers) client.drip('a')
    for (const client of groups.body) client.drip('b')
  }, 100)
  const agent = new Agent({ keepAlive: true })
  const answers = []
  for (let n = 0; n < 40; n++) answers.push(await ask(agent))
  expect(answers.map(({ status }) => status)).toEqual(new Array(40).fill(200))
  const ends = await Promise.all(all.map(({ closed }) => closed))
  clearInterval(dripping)
  agent.destroy()

  const latest = (group: readonly Slow[]) =>
    Math.max(...group.map((client) => ends[all.indexOf(client as never)] ?? 0))
  // One interval of the check, plus a margin for a busy machine.
  const slack = patience.checkEveryMs + 3_000
  expect(latest(groups.silent)).toBeLessThan(patience.headersMs + slack)
  expect(latest(groups.headers)).toBeLessThan(patience.headersMs + slack)
  expect(latest(groups.body)).toBeLessThan(patience.requestMs + slack)
  expect(latest(groups.idle)).toBeLessThan(patience.keepAliveMs + slack)
  // They were sending until the end, so they were not closed for silence.
  expect(bodies).toBeGreaterThan(each * 5)
  for (const client of [...groups.headers, ...groups.body]) {
    expect(client.heard()).toContain('HTTP/1.1 400 Bad Request')
    expect(client.heard()).toContain('did not arrive in time')
  }
  for (const client of groups.idle) expect(client.heard()).toContain('200 OK')
  expect(await open()).toBe(0)
}, 30_000)

test('the default limits', async () => {
  const usual = await startServer(() => undefined, { port: 0, host: '127.0.0.1', logger: silentLogger })
  const { headersTimeout, requestTimeout, keepAliveTimeout } = usual.server
  expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
  })
  await usual.stop()
})
