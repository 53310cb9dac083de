import { UnavailableError } from '@kyc/common'
import nodemailer from 'nodemailer'

/** `language` is a tag of BCP 47. */
export type Mail = { to: string; language: string; subject: string; text: string; html: string }
export type Mailer = { send(mail: Mail): Promise<void> }

/** A mail server that does not answer must not hold up a request; a mail never reads files or URLs. */
const limits = {
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
}

/** Mail through SMTP; a server that refuses, hangs or is not configured is told as "try again". */
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
        // Auto-Submitted keeps out-of-office answers away (RFC 3834).
        const headers = { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' }
        await transport.sendMail({ ...message, headers })
      } catch (cause) {
        throw new UnavailableError('The code could not be sent at the moment; please try again.', 10, cause)
      }
    },
  }
}
