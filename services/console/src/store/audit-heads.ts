import { type SignedAuditHead, type SignedAuditLoss, signedAuditHead, signedAuditLoss } from '@kyc/common'
import type { Sql } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import type { z } from 'zod'
import type { KnownHead, KnownLoss } from '../domain/audit-proof.ts'

/** Each generation has its own list of heads; every accepted loss of entries starts a new generation. */
const logOf = (generation: number) => (generation === 0 ? 'audit' : `audit-${generation}`)
const lossLog = 'audit-losses'

function parse<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function readVaultHead(vault: Vault, generation: number, seq: number): Promise<KnownHead | null> {
  const bytes = await vault.heads.read(logOf(generation), seq)
  // Another replica may have pruned it since it was listed.
  return bytes
    ? { source: 'vault', seq, generation, head: parse(signedAuditHead, bytes.toString('utf8')) }
    : null
}

/** Every head in the vault of generations 0 to `newest`, in the order of storage. */
export async function listVaultHeads(vault: Vault, newest: number): Promise<KnownHead[]> {
  const heads: KnownHead[] = []
  for (let generation = 0; generation <= newest; generation++) {
    for (const seq of await vault.heads.list(logOf(generation))) {
      const head = await readVaultHead(vault, generation, seq)
      if (head) heads.push(head)
    }
  }
  return heads
}

export async function newestVaultHead(vault: Vault, generation: number): Promise<KnownHead | null> {
  const seq = (await vault.heads.list(logOf(generation))).at(-1)
  return seq === undefined ? null : readVaultHead(vault, generation, seq)
}

export const appendVaultHead = (vault: Vault, generation: number, head: SignedAuditHead) =>
  vault.heads.append(logOf(generation), head.payload.seq, Buffer.from(JSON.stringify(head)))

export const pruneVaultHead = (vault: Vault, generation: number, seq: number) =>
  vault.heads.prune(logOf(generation), seq)

/** The losses that operators accepted, numbered from 1. */
export async function listLosses(vault: Vault): Promise<KnownLoss[]> {
  const losses: KnownLoss[] = []
  for (const number of await vault.heads.list(lossLog)) {
    const bytes = await vault.heads.read(lossLog, number)
    losses.push({ number, loss: bytes ? parse(signedAuditLoss, bytes.toString('utf8')) : null })
  }
  return losses
}

export const appendLoss = (vault: Vault, number: number, loss: SignedAuditLoss) =>
  vault.heads.append(lossLog, number, Buffer.from(JSON.stringify(loss)))

/** The copies in the database, in ascending order of `seq`. */
export async function listDatabaseHeads(sql: Sql): Promise<KnownHead[]> {
  const { rows } = await sql.query<{ seq: string; document: string }>(
    'SELECT seq, document::text AS document FROM audit_head_copy ORDER BY seq',
  )
  return rows.map(({ seq, document }) => ({
    source: 'database',
    seq: Number(seq),
    head: parse(signedAuditHead, document),
  }))
}

/** Replaces the copy of an earlier head that is also pruned from the vault. */
export async function insertDatabaseHead(
  sql: Sql,
  head: SignedAuditHead,
  replaces: number | null,
): Promise<void> {
  await sql.query(
    'INSERT INTO audit_head_copy (seq, document) VALUES ($1, $2) ON CONFLICT (seq) DO NOTHING',
    [head.payload.seq, JSON.stringify(head)],
  )
  if (replaces !== null) await sql.query('DELETE FROM audit_head_copy WHERE seq = $1', [replaces])
}

/** Copies belong to one generation of heads, as does the newest head of the vault. */
export async function deleteDatabaseHeads(sql: Sql): Promise<void> {
  await sql.query('DELETE FROM audit_head_copy')
}
