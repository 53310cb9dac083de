import { Agent, request } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import express, { type Request, type Response } from 'express'
import { readJson } from './body.ts'
import { sendError, sendJson } from './errors.ts'
import { startServer } from './server.ts'

test('rejects a chunked body over its limit, and answers the next request on the connection', async () => {
  const app = express()
  app.post('/', async (asked: Request, response: Response) => {
    try {
      sendJson(response, 200, (await readJson(asked, 100)).value)
    } catch (error) {
      sendError(response, error, silentLogger)
    }
  })
  const server = await startServer(app, { port: 0, host: '127.0.0.1', logger: silentLogger })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<unknown>()
  const post = (chunks: readonly string[]) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const asked = request(server.url, {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      })
      asked.on('socket', (socket) => sockets.add(socket))
      asked.on('error', reject)
      asked.on('response', async (answer) => {
        let text = ''
        for await (const chunk of answer) text += chunk
        resolve({ status: answer.statusCode, text })
      })
      for (const chunk of chunks) asked.write(chunk)
      asked.end()
    })

  const refused = await post(Array<string>(40).fill(' '.repeat(8_000)))
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.text)).toMatchObject({ error: { message: 'body: must be at most 100 bytes' } })
  expect(await post(['{"word"', ':"hello"}'])).toEqual({ status: 200, text: '{"word":"hello"}' })
  expect(sockets.size).toBe(1)
  agent.destroy()
  await server.stop()
})

test.each([
  ['arrays', '['.repeat(7_000) + ']'.repeat(7_000)],
  ['objects', `${'{"a":'.repeat(7_000)}1${'}'.repeat(7_000)}`],
  ['the first level too many', `${'['.repeat(33)}${']'.repeat(33)}`],
])('rejects a body nested too deep with 400 and the limit in the message: %s', async (_, body) => {
  const request = Object.assign(Readable.from([Buffer.from(body)]), {
    headers: { 'content-type': 'application/json' },
  }) as unknown as Request
  await expect(readJson(request, 64 * 1024)).rejects.toMatchObject({
    code: 'bad_request',
    message: 'body: must be nested at most 32 levels deep',
  })
})
