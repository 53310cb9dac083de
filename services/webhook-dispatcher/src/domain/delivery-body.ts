import type { Decision, Environment, SessionStatus, WebhookBody } from '@kyc/common'

/** The part of the event that a delivery stores in plain text; the decision is stored sealed. */
export type StatusUpdate = {
  session_id: string
  status: SessionStatus
  previous_status: SessionStatus
  vendor_data: string | null
  workflow_id: string
}
export type Ping = { app_id: string; environment: Environment; message: string }

export type DeliveryEvent =
  | { event: 'session.status_updated'; delivery_id: string; created_at: string; data: StatusUpdate }
  | { event: 'ping'; delivery_id: string; created_at: string; data: Ping }

export const pingMessage = 'A test of your webhook. No session changed.'

/**
 * The bytes to send (interface, section 6.2). The same event and decision give the same bytes at every attempt. The
 * decision comes last, so that the stored excerpt of a receiver that echoes the request contains little of it.
 */
export const buildBody = (event: DeliveryEvent, decision: Decision | null): Buffer =>
  Buffer.from(JSON.stringify(bodyOf(event, decision)), 'utf8')

export function bodyOf(event: DeliveryEvent, decision: Decision | null): WebhookBody {
  const { delivery_id, created_at } = event
  return event.event === 'ping'
    ? { event: event.event, delivery_id, created_at, data: event.data }
    : { event: event.event, delivery_id, created_at, data: { ...event.data, decision } }
}
