import { ApiError } from '@kyc/web-kit'
import { wordsOf } from '../../ui/states.tsx'

/** A refused credential in the form's own words; everything else as on every page. */
export const signInWords = (error: unknown, refused: string): string =>
  error instanceof ApiError && error.status === 401 ? refused : wordsOf(error)
