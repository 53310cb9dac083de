import type { Mail } from './mailer.ts'

/** The recipient's address is the only part of these mails that comes from user input. */
export function linkMail(kind: 'invitation' | 'password_reset', to: string, link: string): Mail {
  const [subject, purpose] =
    kind === 'invitation'
      ? [
          'Your invitation to the identity-verification console',
          'You were invited to the console. Begin here:',
        ]
      : ['Set a new password for the identity-verification console', 'Set a new password here:']
  return {
    to,
    subject,
    text: `${purpose}\n\n    ${link}\n\nThe link works once, for one hour. If you did not expect it, ignore this mail.\n`,
  }
}
