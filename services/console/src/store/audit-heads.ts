import { type SignedAuditHead, signedAuditHead } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import type { KnownHead } from '../domain/audit-proof.ts'

/** The name of the audit log among the logs whose heads the vault stores. */
const log = 'audit'

function parse(text: string): SignedAuditHead | null {
  try {
    return signedAuditHead.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function readVaultHead(vault: Vault, seq: number): Promise<KnownHead | null> {
  const bytes = await vault.heads.read(log, seq)
  // Another replica may have pruned it since it was listed.
  return bytes ? { source: 'vault', seq, head: parse(bytes.toString('utf8')) } : null
}

/** Every head in the vault, the lowest `seq` first. */
export async function listVaultHeads(vault: Vault): Promise<KnownHead[]> {
  const heads: KnownHead[] = []
  for (const seq of await vault.heads.list(log)) {
    const head = await readVaultHead(vault, seq)
    if (head) heads.push(head)
  }
  return heads
}

export async function newestVaultHead(vault: Vault): Promise<KnownHead | null> {
  const seq = (await vault.heads.list(log)).at(-1)
  return seq === undefined ? null : readVaultHead(vault, seq)
}

export const appendVaultHead = (vault: Vault, head: SignedAuditHead) =>
  vault.heads.append(log, head.payload.seq, Buffer.from(JSON.stringify(head)))

export const pruneVaultHead = (vault: Vault, seq: number) => vault.heads.prune(log, seq)

/** The copies beside the log, the lowest `seq` first. */
export async function listDatabaseHeads(sql: Sql): Promise<KnownHead[]> {
  const { rows } = await sql.query<{ seq: string; document: string }>(
    'SELECT seq, document::text AS document FROM audit_head ORDER BY seq',
  )
  return rows.map(({ seq, document }) => ({ source: 'database', seq: Number(seq), head: parse(document) }))
}

/** Replaces the copy of an earlier head, as the vault's own is pruned. */
export async function insertDatabaseHead(
  sql: Sql,
  head: SignedAuditHead,
  replaces: number | null,
): Promise<void> {
  await sql.query('INSERT INTO audit_head (seq, document) VALUES ($1, $2) ON CONFLICT (seq) DO NOTHING', [
    head.payload.seq,
    JSON.stringify(head),
  ])
  if (replaces !== null) await sql.query('DELETE FROM audit_head WHERE seq = $1', [replaces])
}
