import { UnavailableError } from '@kyc/common'
import nodemailer from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }
export type Mailer = { send(mail: Mail): Promise<void> }

/** An unresponsive mail server must not block a request, and a mail must never read files or URLs. */
const limits = {
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
}

/** Sends mail through SMTP; null if no server is configured. */
export function createMailer(options: { url: string | undefined; from: string }): Mailer | null {
  if (!options.url) return null
  const transport = nodemailer.createTransport({ url: options.url, ...limits }, { from: options.from })
  return {
    async send(mail) {
      try {
        await transport.sendMail(mail)
      } catch (cause) {
        throw new UnavailableError('The mail could not be sent at the moment; please try again.', 10, cause)
      }
    },
  }
}
