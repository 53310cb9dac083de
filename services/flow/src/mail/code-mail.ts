import type { Mail } from './mailer.ts'

/** The mail with a code. The client's name comes from its own settings and is kept to one line. */
export function codeMail(to: string, code: string, appName: string): Mail {
  const name = appName.replace(/[^\p{L}\p{N}\p{P}\p{Zs}]/gu, ' ').slice(0, 80)
  return {
    to,
    subject: `${code} is your verification code`,
    text: `Your verification code for ${name} is\n\n    ${code}\n\nIt works for 10 minutes. If you did not ask for it, ignore this mail.\n`,
  }
}
