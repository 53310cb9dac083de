import { type EventMessage, inbox } from '@kyc/bus'
import { type sessionStatusChanged, toTimestamp } from '@kyc/common'
import { type Clock, type Database, newId } from '@kyc/runtime'
import { created, withoutDestination } from '../domain/delivery.ts'
import { hasDestination, insertDelivery } from '../store/insert-delivery.ts'

export const statusChangedConsumer = 'webhook-dispatcher.session.status_changed'

/** Every transition becomes one delivery, in the transaction that remembers the message. */
export async function recordStatusChange(
  parts: { database: Database; clock: Clock; wake(): void },
  message: EventMessage<typeof sessionStatusChanged>,
): Promise<void> {
  const { payload } = message
  const now = parts.clock.now()
  await parts.database.transaction(async (tx) => {
    if (!(await inbox.claim(tx, statusChangedConsumer, message.id))) return
    await insertDelivery(tx, {
      app_id: payload.app_id,
      event: {
        event: 'session.status_updated',
        delivery_id: newId('delivery'),
        created_at: toTimestamp(message.occurredAt),
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
      correlation_id: message.correlationId ?? null,
      traceparent: message.traceparent,
      stage: (await hasDestination(tx, payload.app_id)) ? created(now) : withoutDestination(),
      now,
    })
  })
  parts.wake()
}
