import { Agent, get, type IncomingMessage } from 'node:http'
import { expect, test } from '@jest/globals'
import { silentLogger } from '@kyc/runtime'
import { startServer } from './server.ts'

const ask = (url: string, agent: Agent) =>
  new Promise<{ status: number; connection: string | undefined; text: string }>((resolve, reject) => {
    get(url, { agent }, (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          connection: response.headers.connection,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    }).on('error', reject)
  })

test('while it drains, a server answers all who come and sends them away, whatever the handler says', async () => {
  const server = await startServer(
    (_request, response) => {
      // As an answer that was proxied does.
      response.setHeader('connection', 'keep-alive')
      response.end('done')
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger, drainMs: 400 },
  )
  const agent = new Agent({ keepAlive: true })
  expect(await ask(server.url, agent)).toEqual({ status: 200, connection: 'keep-alive', text: 'done' })
  const stopped = server.stop()
  // On the connection that was open, and on a new one.
  expect(await ask(server.url, agent)).toEqual({ status: 200, connection: 'close', text: 'done' })
  expect(await ask(server.url, agent)).toEqual({ status: 200, connection: 'close', text: 'done' })
  await stopped
  await expect(ask(server.url, agent)).rejects.toThrow('ECONNREFUSED')
  agent.destroy()
})

test('a request under way when the server stops is answered in full', async () => {
  let answer: (() => void) | undefined
  const arrived = new Promise<void>((resolve) => {
    answer = resolve
  })
  let finish = () => {}
  const server = await startServer(
    (_request, response) => {
      finish = () => void response.end('late')
      answer?.()
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger },
  )
  const agent = new Agent({ keepAlive: true })
  const asked = ask(server.url, agent)
  await arrived
  const stopped = server.stop()
  finish()
  expect(await asked).toEqual({ status: 200, connection: 'close', text: 'late' })
  await stopped
  agent.destroy()
})
