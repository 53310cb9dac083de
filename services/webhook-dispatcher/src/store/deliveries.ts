import { toTimestamp, type WebhookDelivery } from '@kyc/common'
import { excerptText } from '../domain/attempt.ts'
import type { DeliveryEvent } from '../domain/delivery-body.ts'
import type { Prisma } from './prisma.ts'

export type DeliveryFilter = {
  status?: WebhookDelivery['status'] | undefined
  session_id?: string | undefined
  page: number
  page_size: number
}

type Row = NonNullable<Awaited<ReturnType<ReturnType<typeof createDeliveryReads>['row']>>>

/** Queries of deliveries for clients and the console. Every query is scoped to the app. */
export function createDeliveryReads(prisma: Prisma) {
  const shown = {
    id: true,
    event: true,
    sessionId: true,
    status: true,
    nextAttemptAt: true,
    attemptList: {
      orderBy: { number: 'asc' },
      select: {
        number: true,
        at: true,
        statusCode: true,
        error: true,
        responseExcerpt: true,
        durationMs: true,
      },
    },
  } as const
  const row = (app_id: string, delivery_id: string) =>
    prisma.delivery.findFirst({ where: { appId: app_id, id: delivery_id }, select: shown })

  return {
    row,

    /** Null for an unknown id and for another app's delivery. */
    async find(app_id: string, delivery_id: string): Promise<WebhookDelivery | null> {
      const found = await row(app_id, delivery_id)
      return found && toDelivery(found)
    },

    /** The event of a delivery, with its decision still sealed. */
    async findEvent(
      app_id: string,
      delivery_id: string,
    ): Promise<{ event: DeliveryEvent; sealed_decision: Buffer | null } | null> {
      const found = await prisma.delivery.findFirst({
        where: { appId: app_id, id: delivery_id },
        select: { event: true, data: true, createdAt: true, sealedDecision: true },
      })
      if (found === null) return null
      // Written by insertDelivery, so `event` and `data` match.
      const event = {
        event: found.event,
        delivery_id,
        created_at: toTimestamp(found.createdAt),
        data: found.data,
      } as unknown as DeliveryEvent
      return { event, sealed_decision: found.sealedDecision && Buffer.from(found.sealedDecision) }
    },

    /** Newest first. */
    async list(app_id: string, filter: DeliveryFilter) {
      const where = { appId: app_id, sessionId: filter.session_id, status: filter.status }
      const { page, page_size } = filter
      const [rows, total] = await Promise.all([
        prisma.delivery.findMany({
          where,
          select: shown,
          orderBy: { seq: 'desc' },
          skip: (page - 1) * page_size,
          take: page_size,
        }),
        prisma.delivery.count({ where }),
      ])
      return { data: rows.map(toDelivery), page, page_size, total }
    },
  }
}
export type DeliveryReads = ReturnType<typeof createDeliveryReads>

const toDelivery = (row: Row): WebhookDelivery => ({
  delivery_id: row.id,
  event: row.event as WebhookDelivery['event'],
  session_id: row.sessionId,
  status: row.status as WebhookDelivery['status'],
  attempts: row.attemptList.map((attempt) => ({
    number: attempt.number,
    at: toTimestamp(attempt.at),
    status_code: attempt.statusCode,
    error: attempt.error,
    response_excerpt: attempt.responseExcerpt && excerptText(attempt.responseExcerpt),
    duration_ms: attempt.durationMs,
  })),
  next_attempt_at: row.nextAttemptAt && toTimestamp(row.nextAttemptAt),
})
