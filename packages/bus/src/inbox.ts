import type { Sql } from '@kyc/runtime'
import { tableName } from './tables.ts'

export type Inbox = {
  /**
   * Records, in the transaction of the effect, that `consumer` has processed the message. Returns false if it was
   * processed before, and then the effect must not happen again. A concurrent claim of the same message waits for the
   * other transaction to end.
   */
  claim(tx: Sql, consumer: string, messageId: string): Promise<boolean>
  /** As `claim`, for many messages: returns the ids that are new and must have their effect. */
  claimAll(tx: Sql, consumer: string, messageIds: readonly string[]): Promise<Set<string>>
  /** Deletes ids processed before `before`. Retain them for longer than any message can be replayed. */
  prune(db: Sql, before: Date): Promise<number>
}

export function createInbox(options: { schema?: string } = {}): Inbox {
  const table = tableName(options.schema, 'processed_message')
  return {
    async claim(tx, consumer, messageId) {
      // Count the returned rows, because a Prisma transaction does not report how many rows were written.
      const { rows } = await tx.query(
        `INSERT INTO ${table} (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING message_id`,
        [consumer, messageId],
      )
      return rows.length === 1
    },
    async claimAll(tx, consumer, messageIds) {
      // Sorted, so that two replicas that claim the same messages wait for each other and do not deadlock.
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
