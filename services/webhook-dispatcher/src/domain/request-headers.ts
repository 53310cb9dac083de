import { webhookHeaders } from '@kyc/common'
import type { DeliveryEvent } from './delivery-body.ts'
import { sign } from './signature.ts'

/** The headers of one attempt (interface, section 6.2), signed at the time of the attempt with the current secret. */
export function requestHeaders(options: {
  event: DeliveryEvent
  body: Buffer
  secret: string
  now: Date
  userAgent: string
}): Record<string, string> {
  const timestamp = Math.floor(options.now.getTime() / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': options.userAgent,
    [webhookHeaders.event]: options.event.event,
    [webhookHeaders.delivery]: options.event.delivery_id,
    [webhookHeaders.timestamp]: String(timestamp),
    [webhookHeaders.signature]: sign(options.secret, timestamp, options.body),
  }
}
