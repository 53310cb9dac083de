import type { Mail } from './mailer.ts'

/** Nothing in these mails comes from a person's input but the address they go to. */
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
