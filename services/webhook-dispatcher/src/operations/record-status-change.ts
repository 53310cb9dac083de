import type { Consumption } from '@kyc/bus'
import { type sessionStatusChanged, toTimestamp } from '@kyc/common'
import { type Clock, newId } from '@kyc/runtime'
import { created, withoutDestination } from '../domain/delivery.ts'
import { hasDestination, insertDelivery } from '../store/insert-delivery.ts'

/** Creates one delivery per transition, in the transaction that claims the message. */
export const recordStatusChange = (deps: {
  clock: Clock
  wake(): void
}): Consumption<typeof sessionStatusChanged, undefined> => ({
  prefetch: 50,
  handle: async (tx, { payload, occurredAt, correlationId, traceparent }) => {
    const now = deps.clock.now()
    await insertDelivery(tx, {
      app_id: payload.app_id,
      event: {
        event: 'session.status_updated',
        delivery_id: newId('delivery'),
        created_at: toTimestamp(occurredAt),
        data: {
          session_id: payload.session_id,
          status: payload.status,
          previous_status: payload.previous_status,
          vendor_data: payload.vendor_data,
          workflow_id: payload.workflow_id,
        },
      },
      sealed_decision:
        payload.sealed_decision === null ? null : Buffer.from(payload.sealed_decision, 'base64'),
      correlation_id: correlationId ?? null,
      traceparent,
      stage: (await hasDestination(tx, payload.app_id)) ? created(now) : withoutDestination(),
      now,
    })
  },
  afterCommit: () => deps.wake(),
})
