import { UnavailableError } from '@kyc/common'
import nodemailer from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }
export type Mailer = { send(mail: Mail): Promise<void> }

const timeouts = {
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
  disableFileAccess: true,
  disableUrlAccess: true,
}

/** Mail through SMTP; null where no server is given. */
export function createMailer(options: { url: string | undefined; from: string }): Mailer | null {
  if (!options.url) return null
  const transport = nodemailer.createTransport(options.url, { from: options.from })
  Object.assign(transport.options, timeouts)
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
