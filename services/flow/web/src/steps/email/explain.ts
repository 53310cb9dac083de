import type { ApiError } from '@kyc/web-kit'
import type { MessageKey } from '../../i18n/catalogue.ts'

/** Message for the person if sending was rejected. */
export function explainSending({ status }: ApiError): MessageKey | null {
  if (status === 400) return 'email_invalid'
  if (status === 409) return 'email_no_more'
  return status === 502 || status === 503 || status === 504 ? 'email_unavailable' : null
}

export const explainCode = ({ status }: ApiError): MessageKey | null =>
  status === 422 ? 'email_code_expired' : null
