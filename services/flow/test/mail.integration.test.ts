import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { flowLanguages } from '@kyc/common'
import { SMTPServer } from 'smtp-server'
import { codeMail } from '../src/mail/code-mail.ts'
import { createMailer } from '../src/mail/mailer.ts'

type Received = { from: string; to: string[]; raw: string }

let server: SMTPServer
let received: Received[]
let url: string
let behaviour: 'accept' | 'refuse' | 'reject-data'

beforeEach(async () => {
  received = []
  behaviour = 'accept'
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => done(behaviour === 'refuse' ? new Error('closed') : null),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (behaviour === 'reject-data') return done(new Error('mailbox full'))
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
afterEach(() => new Promise<void>((resume) => server.close(() => resume())))

const from = 'Identity verification <no-reply@verify.example>'
const unavailable = { name: 'PublicError', code: 'internal', retryAfterSeconds: expect.any(Number) }

/** The decoded parts of a multipart message by content type. */
function partsOf(raw: string): Record<string, string> {
  const boundary = /boundary="?([^";\r\n]+)/.exec(raw)?.[1] ?? ''
  return Object.fromEntries(
    raw
      .split(`--${boundary}`)
      .map((part) => {
        const [head = '', ...body] = part.split('\r\n\r\n')
        const type = /content-type: ([\w/]+)/i.exec(head)?.[1] ?? ''
        const text = body.join('\r\n\r\n').trim()
        const encoding = /content-transfer-encoding: ([\w-]+)/i.exec(head)?.[1]?.toLowerCase()
        return [type, decode(text, encoding)] as const
      })
      .filter(([type]) => type.startsWith('text/')),
  )
}

function decode(text: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return text
  const bytes = text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

describe('the mail with a code', () => {
  test.each(flowLanguages)(
    'arrives in %s, as text and HTML, without external resources',
    async (language) => {
      const mail = codeMail('erika@example.org', '402917', 'Example Bank', language)
      await createMailer({ url, from }).send(mail)
      const [message] = received
      expect(message).toMatchObject({ from: 'no-reply@verify.example', to: ['erika@example.org'] })
      expect(message?.raw).toContain(`Content-Language: ${language}`)
      const parts = partsOf(message?.raw ?? '')
      expect(parts['text/plain']).toContain('402917')
      expect(parts['text/plain']).toContain('Example Bank')
      expect(parts['text/html']).toContain(`lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
      expect(parts['text/html']).toContain('402917')
      expect(parts['text/html']).not.toMatch(/src=|href=|url\(/)
    },
  )

  test("is not open to header or HTML injection through a client's name", async () => {
    const name = 'Bank\r\nBcc: victim@example.org\r\n\r\n<script>alert(1)</script>'
    await createMailer({ url, from }).send(codeMail('erika@example.org', '402917', name, 'en'))
    const [message] = received
    expect(message?.to).toEqual(['erika@example.org'])
    expect(message?.raw).not.toMatch(/^Bcc:/im)
    expect(partsOf(message?.raw ?? '')['text/html']).not.toContain('<script')
  })

  test.each(['{code}', '$& $` $1', '<b>Bank</b>', '{app}'])(
    'never expands or interprets the name %s',
    (name) => {
      const { subject, text, html } = codeMail('erika@example.org', '402917', name, 'en')
      expect(subject).toBe('402917 is your verification code')
      expect(text.split('\n')[0]).toBe(`Your verification code for ${name} is`.replace(/[$`<>]/g, ' '))
      expect(html).not.toContain('<b>')
      expect(text.match(/402917/g)).toHaveLength(1)
    },
  )

  test('is in English if the language of the session is not supported', () => {
    expect(codeMail('a@example.org', '000000', 'Example', 'ja')).toMatchObject({ language: 'en' })
    expect(codeMail('a@example.org', '000000', 'Example', 'pt-BR')).toMatchObject({ language: 'pt' })
  })
})

describe('a mail server', () => {
  test('that is down, refuses or fails is reported as retryable, and works after recovery', async () => {
    const mailer = createMailer({ url, from })
    const mail = codeMail('erika@example.org', '402917', 'Example', 'en')
    behaviour = 'refuse'
    await expect(mailer.send(mail)).rejects.toMatchObject(unavailable)
    behaviour = 'reject-data'
    await expect(mailer.send(mail)).rejects.toMatchObject(unavailable)
    behaviour = 'accept'
    await mailer.send(mail)
    expect(received).toHaveLength(1)
    const nobody = createMailer({ url: 'smtp://127.0.0.1:1', from })
    await expect(nobody.send(mail)).rejects.toMatchObject(unavailable)
  })

  test('that is not configured is reported', async () => {
    const mail = codeMail('erika@example.org', '402917', 'Example', 'en')
    await expect(createMailer({ url: undefined, from }).send(mail)).rejects.toMatchObject(unavailable)
  })
})
