import { z } from 'zod'

/**
 * A personal value on the bus: JSON encrypted under the session's data key, in base64. The broker, its disk and its
 * logs hold only ciphertext, and a purge makes every copy unreadable. The context is bound to the ciphertext, so that a
 * value sealed for one purpose cannot be opened for another.
 */
export const sealed = z.base64().min(1)

export const sealContexts = {
  identity: 'identity',
  decision: 'decision',
  check_data: 'check.data',
  client_address: 'client.address',
  email: 'email',
  metadata: 'metadata',
  session_detail: 'session.detail',
  note: 'review.note',
  /** Sealed under the app's own key, because the session does not exist yet. */
  session_body: 'session.body',
  session_link: 'session.link',
} as const
