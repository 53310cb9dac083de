import { describe, expect, test } from '@jest/globals'
import { type Decision, webhookBody } from '@kyc/common'
import { buildBody, type DeliveryEvent, pingMessage } from './delivery-body.ts'
import { requestHeaders } from './request-headers.ts'
import { sign } from './signature.ts'

const id = (prefix: string) => `${prefix}_${'a'.repeat(24)}`
const update: DeliveryEvent = {
  event: 'session.status_updated',
  delivery_id: id('whd'),
  created_at: '2026-03-01T12:00:00Z',
  data: {
    session_id: id('ses'),
    status: 'approved',
    previous_status: 'processing',
    vendor_data: 'клиент-7',
    workflow_id: id('wf'),
  },
}
const decision: Decision = {
  session_id: id('ses'),
  status: 'approved',
  decision_reason: null,
  workflow_id: id('wf'),
  vendor_data: 'клиент-7',
  metadata: {},
  identity: {
    full_name: 'Zoë 北京',
    date_of_birth: '1990-04-21',
    nationality: 'UTO',
    document_type: 'passport',
    document_number_masked: 'L8989****',
    expiry_date: '2030-01-01',
    sources: { full_name: 'mrz' },
  },
  checks: [],
  review: null,
  created_at: '2026-03-01T11:00:00Z',
  submitted_at: '2026-03-01T11:30:00Z',
  completed_at: '2026-03-01T12:00:00Z',
  expires_at: '2026-03-08T11:00:00Z',
}
const ping: DeliveryEvent = {
  event: 'ping',
  delivery_id: id('whd'),
  created_at: '2026-03-01T12:00:00Z',
  data: { app_id: id('app'), environment: 'test', message: pingMessage },
}

describe('the body', () => {
  test.each([
    ['a status with its decision', update, decision],
    ['an intermediate or purged one', update, null],
    ['a ping', ping, null],
  ])('of %s matches the interface specification', (_, event, given) => {
    const parsed = JSON.parse(buildBody(event, given).toString('utf8'))
    expect(webhookBody.parse(parsed)).toEqual(parsed)
    expect(Object.keys(parsed)).toEqual(['event', 'delivery_id', 'created_at', 'data'])
    if (event.event === 'ping') expect(Object.keys(parsed.data)).toEqual(['app_id', 'environment', 'message'])
    else expect(parsed.data.decision).toEqual(given)
  })
  test('has the same bytes every time', () => {
    expect(buildBody(update, decision)).toEqual(buildBody(update, structuredClone(decision)))
  })
  test('has no part of the decision in the first bytes, which an echo would store', () => {
    expect(buildBody(update, decision).subarray(0, 256).toString()).not.toContain('full_name')
  })
})

test('the headers name the event and delivery, and sign these bytes with the current time', () => {
  const body = buildBody(update, decision)
  const now = new Date('2026-03-01T12:00:30.999Z')
  expect(
    requestHeaders({ event: update, body, secret: 'whsec_x', now, userAgent: 'kyc-webhooks/1.0' }),
  ).toEqual({
    'content-type': 'application/json',
    'user-agent': 'kyc-webhooks/1.0',
    'x-kyc-event': 'session.status_updated',
    'x-kyc-delivery': id('whd'),
    'x-kyc-timestamp': '1772366430',
    'x-kyc-signature': sign('whsec_x', 1_772_366_430, body),
  })
})
