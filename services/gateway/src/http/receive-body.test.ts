import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createShares, type Shares } from '../domain/shares.ts'
import { receiveBody } from './receive-body.ts'

let server: Server
let memory: Shares
let full = 0
beforeAll(async () => {
  memory = createShares({ total: 64 * 1024, share: 16 * 1024 })
  server = createServer((request, response) => {
    const length = Number(request.headers['content-length'])
    const caller = String(request.headers['x-caller'])
    const framing = { body: true, length }
    receiveBody(request, response, framing, { maxBytes: 100_000, memory, caller, onFull: () => full++ }).then(
      ({ bytes, release }) => {
        response.once('close', release)
        response.end(`${bytes?.length} of ${memory.used}`)
      },
      (error: Error) => response.writeHead(503, { connection: 'close' }).end(error.message),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const post = (caller: string, bytes: number) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const headers = { 'x-caller': caller, 'content-length': bytes }
    const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.on('error', reject)
    sent.end(Buffer.alloc(bytes))
  })

test('a body uses the memory of its bytes, and releases it with the response', async () => {
  expect(await post('a', 5)).toEqual({ status: 200, text: '5 of 5' })
  expect(await post('a', 40_000)).toEqual({ status: 200, text: '40000 of 40000' })
  expect(memory.used).toBe(0)
})

test('a caller beyond its share leaves the last quarter of the memory to others', async () => {
  expect(memory.take('b', 40 * 1024)).toBe(true)
  expect(await post('b', 12 * 1024)).toMatchObject({ status: 503, text: expect.stringContaining('uploads') })
  expect(full).toBe(1)
  expect(await post('c', 12 * 1024)).toMatchObject({ status: 200 })
  memory.release('b', 40 * 1024)
  expect(memory.used).toBe(0)
})
