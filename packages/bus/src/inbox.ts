import type { Sql } from '@kyc/runtime'
import { tableName } from './tables.ts'

export type Inbox = {
  /**
   * Remembers, in the transaction of the effect, that `consumer` has processed the message.
   * False: it had done so before, and the effect must not happen again. A concurrent claim of the same
   * message waits for the other transaction to end.
   */
  claim(tx: Sql, consumer: string, messageId: string): Promise<boolean>
  /** The same for many messages: returns the ids that are new and must have their effect. */
  claimAll(tx: Sql, consumer: string, messageIds: readonly string[]): Promise<Set<string>>
  /** Forgets what was processed before `before`; keep it longer than any message can be replayed. */
  prune(db: Sql, before: Date): Promise<number>
}

export function createInbox(options: { schema?: string } = {}): Inbox {
  const table = tableName(options.schema, 'processed_message')
  return {
    async claim(tx, consumer, messageId) {
      // Returned rows are counted, because a Prisma transaction does not say how many were written.
      const { rows } = await tx.query(
        `INSERT INTO ${table} (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING message_id`,
        [consumer, messageId],
      )
      return rows.length === 1
    },
    async claimAll(tx, consumer, messageIds) {
      // Sorted, so that two replicas that claim the same messages wait for each other instead of deadlocking.
      const { rows } = await tx.query<{ message_id: string }>(
        `INSERT INTO ${table} (consumer, message_id)
         SELECT $1, id FROM unnest($2::text[]) AS ids (id) ORDER BY id
         ON CONFLICT DO NOTHING RETURNING message_id`,
        [consumer, messageIds],
      )
      return new Set(rows.map((row) => row.message_id))
    },

    async prune(db, before) {
      const { rowCount } = await db.query(`DELETE FROM ${table} WHERE processed_at < $1`, [
        before.toISOString(),
      ])
      return rowCount
    },
  }
}

/** The inbox of the connection's own schema. */
export const inbox: Inbox = createInbox()
