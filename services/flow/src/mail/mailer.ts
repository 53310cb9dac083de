import { UnavailableError } from '@kyc/common'
import nodemailer from 'nodemailer'

/** `language` is a BCP 47 tag. */
export type Mail = { to: string; language: string; subject: string; text: string; html: string }
export type Mailer = { send(mail: Mail): Promise<void> }

/** An unresponsive mail server must not block a request, and a message must never read files or URLs. */
const limits = {
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
}

/** Sends mail through SMTP. Throws UnavailableError if the server refuses, times out or is not configured. */
export function createMailer(options: { url: string | undefined; from: string }): Mailer {
  if (!options.url) {
    return {
      send: async () => {
        throw new UnavailableError('Mail is not set up on this server, so no code can be sent.', 60)
      },
    }
  }
  const transport = nodemailer.createTransport({ url: options.url, ...limits }, { from: options.from })
  return {
    async send(mail) {
      try {
        const { language, ...message } = mail
        // Auto-Submitted suppresses out-of-office replies (RFC 3834).
        const headers = { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' }
        await transport.sendMail({ ...message, headers })
      } catch (cause) {
        throw new UnavailableError('The code could not be sent at the moment; please try again.', 10, cause)
      }
    },
  }
}
