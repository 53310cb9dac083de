import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { SMTPServer } from 'smtp-server'
import { codeMail } from '../src/mail/code-mail.ts'
import { createMailer } from '../src/mail/mailer.ts'

let server: SMTPServer | undefined
afterEach(async () => {
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  server = undefined
})

/** A mail server with an untrusted certificate, as a man-in-the-middle would have. */
async function startServer(secure: boolean): Promise<{ port: number; received: string[] }> {
  const received: string[] = []
  const started = new SMTPServer({
    secure,
    authOptional: true,
    onData: (stream, _session, done) => {
      stream.on('data', (chunk: Buffer) => received.push(chunk.toString('utf8')))
      stream.on('end', () => done())
    },
  })
  server = started
  started.on('error', () => undefined)
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  return { port: (started.server.address() as AddressInfo).port, received }
}

const mail = codeMail('erika@example.org', '402917', 'Example Bank', 'en')
const send = (url: string) => createMailer({ url, from: 'no-reply@example.org' })?.send(mail)

test.each([
  ['smtps', true],
  ['smtp', false],
])('%s: never sends mail to a server without a trusted certificate', async (protocol, secure) => {
  const { port, received } = await startServer(secure)
  await expect(send(`${protocol}://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'internal' })
  expect(received).toEqual([])
  // The certificate is the only reason for the failure: with verification disabled, the mail is sent.
  await send(`${protocol}://127.0.0.1:${port}/?tls.rejectUnauthorized=false`)
  expect(received.join('')).toContain('402917')
})

test('times out after eight seconds if the server accepts the connection but sends no greeting', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  try {
    const started = Date.now()
    const { port } = silent.address() as AddressInfo
    await expect(send(`smtp://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'internal' })
    expect(Date.now() - started).toBeLessThan(12_000)
  } finally {
    silent.close()
  }
})
