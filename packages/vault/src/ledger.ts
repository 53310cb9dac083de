import { z } from 'zod'
import { VaultIntegrityError } from './errors.ts'
import { names, type Scope } from './scope.ts'
import type { ObjectStore } from './store/object-store.ts'

const entrySchema = z.strictObject({
  v: z.literal(1),
  app_id: z.string(),
  session_id: z.string(),
  purged_at: z.string(),
  had_key: z.boolean(),
})
export type LedgerEntry = z.infer<typeof entrySchema>

/**
 * The purge ledger: one object per purged session, created once and never changed. It contains ids and a time, no
 * personal data. A restored backup is compared with it.
 */
export type Ledger = ReturnType<typeof createLedger>

export function createLedger(store: ObjectStore) {
  return {
    has: (scope: Scope) => store.exists(names.ledgerEntry(scope)),

    async read(scope: Scope): Promise<LedgerEntry | undefined> {
      const bytes = await store.read(names.ledgerEntry(scope))
      if (!bytes) return undefined
      try {
        return entrySchema.parse(JSON.parse(bytes.toString('utf8')))
      } catch (error) {
        throw new VaultIntegrityError('An entry of the purge ledger is damaged.', error)
      }
    },

    /** The first entry of a session is final; a second purge adds nothing. */
    async append(scope: Scope, purgedAt: Date, hadKey: boolean): Promise<void> {
      const entry: LedgerEntry = {
        v: 1,
        app_id: scope.app_id,
        session_id: scope.session_id,
        purged_at: purgedAt.toISOString(),
        had_key: hadKey,
      }
      await store.write(names.ledgerEntry(scope), [Buffer.from(JSON.stringify(entry))], 'create')
    },

    async *scopes(): AsyncGenerator<Scope> {
      for await (const app_id of store.children(names.ledger))
        for await (const session_id of store.children(names.ledgerOf(app_id))) yield { app_id, session_id }
    },
  }
}
