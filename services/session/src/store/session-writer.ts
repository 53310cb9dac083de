import type { Database } from '@kyc/runtime'
import { insertSession, insertSessions, type NewSession } from './sessions.ts'

type Waiting = {
  session: NewSession
  resolve(created: { workflow_id: string } | null): void
  reject(error: unknown): void
}

/** Two statements on their way keep the database busy while the next batch gathers; more would only make it smaller. */
const maxInFlight = 2
const maxBatch = 64

/** SQLSTATE class 22: one value that PostgreSQL does not take, which says nothing about the other rows. */
const isDataError = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22')

/**
 * Group commit for new sessions: those that arrive while others are being written go in one statement and share its
 * planning, its round trip and its flush to disk. A lone session is written at once. Each promise resolves after its
 * row is committed; null when there is no such live workflow.
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
      // After the requests of this turn of the event loop: they share the first statement already.
      if (waiting.length === 1) setImmediate(pump)
    })
}

export type InsertSession = ReturnType<typeof createSessionWriter>
