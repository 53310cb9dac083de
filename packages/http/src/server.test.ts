import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http'
import { expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import express from 'express'
import { startServer } from './server.ts'

const ask = (url: string, agent: Agent) =>
  new Promise<{ status: number; connection: string | undefined; keepAlive: unknown; text: string }>(
    (resolve, reject) => {
      get(url, { agent }, (response: IncomingMessage) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            connection: response.headers.connection,
            keepAlive: response.headers['keep-alive'],
            text: Buffer.concat(chunks).toString(),
          }),
        )
      }).on('error', reject)
    },
  )

/** A response from `serviceApp`, and one proxied by the gateway. */
const expressApp = express().get('/', (_request, response) => {
  response.send('done')
})
const proxied: RequestListener = (_request, response) => {
  response.setHeader('connection', 'keep-alive')
  response.setHeader('keep-alive', 'timeout=75')
  response.end('done')
}

const listeners: [name: string, listener: RequestListener][] = [
  ['an express application', expressApp],
  ['a proxied answer', proxied],
]
const serve = (listener: RequestListener, drainMs?: number) =>
  startServer(listener, { port: 0, host: '127.0.0.1', logger: silentLogger, drainMs })

test.each(listeners)(
  'during a drain, a server responds to every request and closes the connection: %s',
  async (_name, listener) => {
    const server = await serve(listener, 400)
    const agent = new Agent({ keepAlive: true })
    expect(await ask(server.url, agent)).toMatchObject({
      status: 200,
      connection: 'keep-alive',
      text: 'done',
    })
    const stopped = server.stop()
    // On the open connection, and on a new one.
    expect(await ask(server.url, agent)).toMatchObject({ status: 200, connection: 'close', text: 'done' })
    expect(await ask(server.url, agent)).toMatchObject({ status: 200, connection: 'close', text: 'done' })
    await stopped
    await expect(ask(server.url, agent)).rejects.toThrow('ECONNREFUSED')
    agent.destroy()
  },
)

test.each(listeners)(
  'tells clients to close an idle connection before the end of a drain: %s',
  async (_name, listener) => {
    const server = await serve(listener, 5_000)
    const agent = new Agent({ keepAlive: true })
    expect(await ask(server.url, agent)).toMatchObject({ connection: 'keep-alive', keepAlive: 'timeout=4' })
    agent.destroy()
    const leaving = new Agent({ keepAlive: false })
    expect(await ask(server.url, leaving)).toMatchObject({ connection: 'close' })
    await new Promise((resolve) => server.server.close(resolve))
  },
)

test('a request in progress when the server stops gets its full response', async () => {
  let answer: (() => void) | undefined
  const arrived = new Promise<void>((resolve) => {
    answer = resolve
  })
  let finish = () => {}
  const server = await serve((_request, response) => {
    finish = () => void response.end('late')
    answer?.()
  })
  const agent = new Agent({ keepAlive: true })
  const asked = ask(server.url, agent)
  await arrived
  const stopped = server.stop()
  finish()
  expect(await asked).toMatchObject({ status: 200, connection: 'close', text: 'late' })
  await stopped
  agent.destroy()
})
