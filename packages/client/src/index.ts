import { verify } from './webhooks.ts'

export { Kyc } from './client.ts'
export {
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InternalError,
  KycError,
  NotFoundError,
  RateLimitedError,
  TimeoutError,
  UnauthorizedError,
  UnprocessableError,
  WebhookVerificationError,
} from './errors.ts'
export type * from './generated/types.ts'
export type { Page, Paged } from './pages.ts'
export type { ClientOptions, RequestOptions } from './transport.ts'
export type { VerifyOptions, WebhookHeaders } from './webhooks.ts'

/** `webhooks.verify(rawBody, headers, secret)`: returns the event if it is authentic. */
export const webhooks = { verify }
