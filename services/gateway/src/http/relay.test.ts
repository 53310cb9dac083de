import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Pool } from 'undici'
import type { Outgoing } from './forward.ts'
import { relayTo } from './relay.ts'

let upstream: Server
let arrived = 0
let pool: Pool
const listen = (server: Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
beforeAll(async () => {
  upstream = createServer((_request, response) => {
    arrived++
    // A stream without an end, as the console's live events are.
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begin\n\n')
  })
  pool = new Pool(`http://127.0.0.1:${await listen(upstream)}`)
})
afterAll(async () => {
  await pool.destroy()
  upstream.closeAllConnections()
  upstream.close()
})

/** The response to a client that left before anything was forwarded. */
async function abandonedResponse(): Promise<ServerResponse<IncomingMessage>> {
  const server = createServer()
  const port = await listen(server)
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'))
  const response = await new Promise<ServerResponse<IncomingMessage>>((resolve) =>
    server.once('request', (_request, response) => resolve(response)),
  )
  const closed = new Promise((resolve) => response.once('close', resolve))
  socket.destroy()
  await closed
  server.close()
  return response
}

test('a request whose client left before it was forwarded reaches no service and gives its slot back', async () => {
  const response = await abandonedResponse()
  const outgoing: Outgoing = {
    service: 'console',
    method: 'GET',
    path: '/console/api/live',
    headers: [],
    body: null,
    caller: 'a',
    longPoll: false,
    head: false,
  }
  let waits = 1
  let answered = 0
  const ended = new Promise<void>((resolve) =>
    relayTo(pool, outgoing, response, {
      timeoutMs: 1_000,
      endWait: () => {
        waits = 0
        resolve()
      },
      onAnswer: () => answered++,
      onFailure: () => undefined,
    }),
  )
  await ended
  // A request of its own: by the time it is answered, one sent before it would have arrived.
  const { body } = await pool.request({ method: 'GET', path: '/after' })
  expect({ waits, answered, arrived }).toEqual({ waits: 0, answered: 0, arrived: 1 })
  body.destroy()
})
