import type { Database } from '@kyc/runtime'
import { insertSession, insertSessions, type NewSession } from './sessions.ts'

type Waiting = {
  session: NewSession
  resolve(created: { workflow_id: string } | null): void
  reject(error: unknown): void
}

/** Two statements in flight keep the database busy while the next batch fills; more would only make batches smaller. */
const maxInFlight = 2
const maxBatch = 64

/** SQLSTATE class 22 (data exception): PostgreSQL rejects one value, and the other rows may be fine. */
const isDataError = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22')

/**
 * Group commit for new sessions: sessions that arrive during a write form the next statement and share its planning,
 * round trip and flush to disk. A lone session is written immediately. Each promise resolves after its row is
 * committed, to null if the workflow does not exist or is archived.
 */
export function createSessionWriter(database: Database) {
  const waiting: Waiting[] = []
  let inFlight = 0

  const pump = (): void => {
    while (inFlight < maxInFlight && waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      inFlight++
      void write(batch).finally(() => {
        inFlight--
        pump()
      })
    }
  }

  const write = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const created = await insertSessions(
        database,
        batch.map(({ session }) => session),
      )
      for (const { session, resolve } of batch) resolve(created.get(session.session_id) ?? null)
    } catch (error) {
      if (batch.length > 1 && isDataError(error)) await writeOneByOne(batch)
      else for (const { reject } of batch) reject(error)
    }
  }

  const writeOneByOne = async (batch: readonly Waiting[]): Promise<void> => {
    for (const { session, resolve, reject } of batch)
      await insertSession(database, session).then(resolve, reject)
  }

  return (session: NewSession): Promise<{ workflow_id: string } | null> =>
    new Promise((resolve, reject) => {
      waiting.push({ session, resolve, reject })
      // Wait for the other requests of this event loop turn, so that they already share the first statement.
      if (waiting.length === 1) setImmediate(pump)
    })
}

export type InsertSession = ReturnType<typeof createSessionWriter>
