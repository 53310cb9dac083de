import { ApiError } from '@kyc/web-kit'
import { wordsOf } from '../../ui/states.tsx'

export const passkeyRefused =
  'This passkey was not accepted. It may have been removed from your account. Try again, or use another way.'

/** The form's own message for a rejected credential; the general message for any other error. */
export const signInWords = (error: unknown, refused: string): string =>
  error instanceof ApiError && error.status === 401 ? refused : wordsOf(error)
