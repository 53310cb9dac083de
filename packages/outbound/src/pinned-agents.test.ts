import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { createOutboundClient } from './client.ts'

let server: Server
let port: number
const connections: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  server.on('connection', (socket) => connections.push(socket.localAddress ?? ''))
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const sendTo = (answers: string[][]) => {
  const client = createOutboundClient({
    resolver: async () => answers.shift() ?? [],
    allowPrivate: true,
    ownAddresses: [],
    logger: silentLogger,
  })
  return () =>
    client.send({
      url: `http://receiver.example.org:${port}/hook`,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
      timeoutMs: 5_000,
      maxBodyBytes: 256,
    })
}

test('a burst to one receiver reuses one socket', async () => {
  connections.length = 0
  const send = sendTo(Array.from({ length: 5 }, () => ['127.0.0.1']))
  for (let time = 0; time < 5; time++) expect((await send()).status_code).toBe(204)
  expect(connections).toEqual(['127.0.0.1'])
})

test('when the name resolves to other addresses, no earlier socket is used', async () => {
  connections.length = 0
  const send = sendTo([['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1', '127.0.0.2']])
  for (let time = 0; time < 3; time++) expect((await send()).status_code).toBe(204)
  expect(connections).toHaveLength(3)
  expect(connections[1]).toBe('127.0.0.2')
})
