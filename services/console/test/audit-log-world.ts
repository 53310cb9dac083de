import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditVerification, type SignedAuditHead, toTimestamp } from '@kyc/common'
import { newId, openDatabase, type PooledDatabase, silentLogger } from '@kyc/runtime'
import { createTestDatabase, TestClock } from '@kyc/testing'
import { createVault, folderStore, keysFromConfig, type Vault } from '@kyc/vault'
import { type AuditEntry, chainStart, hashEntry } from '../src/domain/audit-chain.ts'
import { createHeadSigner, type HeadSigner } from '../src/domain/audit-head.ts'
import { record } from '../src/operations/context.ts'
import { storeAuditHead } from '../src/operations/store-audit-head.ts'
import { verifyAudit } from '../src/operations/verify-audit.ts'
import { consoleSchema } from '../src/service.ts'
import { readAudit } from '../src/store/audit-log.ts'
import { auditKey } from './neighbours.ts'

export type AuditLogWorld = {
  database: PooledDatabase
  clock: TestClock
  vault: Vault
  signer: HeadSigner
  /** The deps of another process with the same vault and database. */
  deps(): Parameters<typeof storeAuditHead>[0]
  write(entries: number): Promise<void>
  head(when?: 'due' | 'now'): Promise<SignedAuditHead | null>
  verify(...exported: SignedAuditHead[]): Promise<AuditVerification>
  entries(): Promise<AuditEntry[]>
  /** Runs statements as the owner of the database, with triggers disabled. */
  attack(...statements: [string, unknown[]?][]): Promise<void>
  /** Rewrites the log with valid hashes for the changed entries. */
  recompute(change: (entry: AuditEntry) => AuditEntry): Promise<void>
  /** Saves the state of database or vault. Returns a function that restores it. */
  snapshot(what: 'database' | 'vault'): Promise<() => Promise<void>>
  vaultFolder: string
  close(): Promise<void>
}

/** An audit log with its vault, and an attacker with full rights on the database. */
export async function startAuditLogWorld(): Promise<AuditLogWorld> {
  const testDatabase = await createTestDatabase()
  const database = await openDatabase({ url: testDatabase.url, ...consoleSchema, logger: silentLogger })
  const folder = await mkdtemp(join(tmpdir(), 'kyc-audit-'))
  const vaultFolder = join(folder, 'vault')
  const clock = new TestClock()
  const key = randomBytes(32).toString('base64')
  const newVault = () =>
    createVault({
      store: folderStore(vaultFolder),
      keys: keysFromConfig({ current: { id: 'test', key }, previous: [] }),
      clock,
    })
  const vault = newVault()
  const signer = createHeadSigner(auditKey)
  const deps = () => ({ database, vault: newVault(), clock, signer, logger: silentLogger })

  const attack: AuditLogWorld['attack'] = async (...statements) => {
    await database.query('ALTER TABLE audit_entry DISABLE TRIGGER USER')
    for (const [text, values] of statements) await database.query(text, values ?? [])
    await database.query('ALTER TABLE audit_entry ENABLE TRIGGER USER')
  }

  async function snapshotDatabase() {
    const tables = ['audit_entry', 'audit_head_copy']
    const name = `snapshot_${newId('message').replaceAll(/\W/g, '_')}`
    for (const table of tables)
      await database.query(`CREATE TABLE ${name}_${table} AS SELECT * FROM ${table}`)
    return () =>
      attack(
        ...tables.flatMap((table): [string][] => [
          [`DELETE FROM ${table}`],
          [`INSERT INTO ${table} SELECT * FROM ${name}_${table}`],
        ]),
      )
  }

  async function snapshotVault() {
    const copy = await mkdtemp(join(folder, 'copy-'))
    await cp(vaultFolder, copy, { recursive: true })
    return async () => {
      await rm(vaultFolder, { recursive: true })
      await cp(copy, vaultFolder, { recursive: true })
    }
  }

  const entries = () => readAudit(database, 0, 100_000)
  return {
    database,
    clock,
    vault,
    signer,
    vaultFolder,
    deps,
    entries,
    attack,
    write: async (count) => {
      for (let number = 0; number < count; number++)
        await record(
          { database, clock },
          { type: 'system', id: 'test', ip: null },
          {
            app_id: null,
            action: 'test.acted',
            target: `ses_${number}`,
            details: { at: toTimestamp(clock.now()) },
          },
        )
    },
    head: async (when = 'now') => (await storeAuditHead(deps(), when)).head,
    verify: (...exported) => verifyAudit({ database, vault, signer }, exported),
    async recompute(change) {
      let prev_hash = chainStart
      for (const entry of await entries()) {
        const { hash: _, ...changed } = change({ ...entry, prev_hash })
        const hash = hashEntry(changed)
        await attack([
          'UPDATE audit_entry SET action = $2, prev_hash = $3, hash = $4 WHERE seq = $1',
          [entry.seq, changed.action, prev_hash, hash],
        ])
        prev_hash = hash
      }
    },
    snapshot: (what) => (what === 'database' ? snapshotDatabase() : snapshotVault()),
    close: async () => {
      await database.close()
      await testDatabase.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
