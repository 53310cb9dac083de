import { UnavailableError } from '@kyc/common'
import nodemailer from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }
export type Mailer = { send(mail: Mail): Promise<void> }

/** A mail server that does not answer must not hold up a request; a mail never reads files or URLs. */
const limits = {
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
}

/** Mail through SMTP; null where no server is given. */
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
