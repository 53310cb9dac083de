import { conflict, PublicError, type SignedAuditHead } from '@kyc/common'
import type { Clock, Database, Logger, Metrics } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import { chainStart, createChainVerifier } from '../domain/audit-chain.ts'
import type { HeadSigner } from '../domain/audit-head.ts'
import type { KnownLoss } from '../domain/audit-proof.ts'
import {
  appendVaultHead,
  insertDatabaseHead,
  listDatabaseHeads,
  listLosses,
  newestVaultHead,
  pruneVaultHead,
} from '../store/audit-heads.ts'
import { lastSeq, readAudit } from '../store/audit-log.ts'
import { record } from './context.ts'

/** A head is due when this many entries are not covered, or any is and the newest head is this old. */
export const headEntries = 100
export const headAgeMs = 10 * 60_000

const batch = 5_000

export type HeadDeps = { database: Database; vault: Vault; clock: Clock; signer: HeadSigner; logger: Logger }
type Point = { seq: number; hash: string }

/**
 * Signs the newest entry and stores the head in the vault, when one is due or at once. The newest head must match the log
 * and the entries after it must continue the chain; a modified log gets no new head, because that would confirm the
 * modification. Returns the newest head, null while there is no entry, and how many entries it does not cover.
 */
export async function storeAuditHead(
  deps: HeadDeps,
  when: 'due' | 'now',
): Promise<{ head: SignedAuditHead | null; uncovered: number }> {
  const { database, vault, clock, signer } = deps
  // Read the copies first. Heads are written to the vault first, so it is behind its copies only if it lost heads.
  const copies = await listDatabaseHeads(database)
  const generation = generationOf(await listLosses(vault), signer)
  const newest = await newestVaultHead(vault, generation)
  const covered = newest && payloadOf(newest.head, signer)
  if (covered) await requireEntry(database, covered)
  const copied = copies.findLast(({ seq, head }) => head?.payload.seq === seq && !signer.problemOf(head))
  const isLost = (copied?.seq ?? 0) > (covered?.seq ?? 0)
  if (isLost && copied?.head) {
    await requireEntry(database, copied.head.payload)
    await reportLostHeads(deps, covered?.seq ?? 0, copied.seq)
  }

  const uncovered = (await lastSeq(database)) - (covered?.seq ?? 0)
  const isOld = !covered || clock.now().getTime() - Date.parse(covered.signed_at) >= headAgeMs
  const isDue = when === 'now' || isLost || isOld || uncovered >= headEntries
  if (uncovered === 0 || !isDue) return { head: newest?.head ?? null, uncovered }

  const head = signer.sign(await followChain(database, covered ?? undefined), clock.now())
  if ((await appendVaultHead(vault, generation, head)) !== 'written') {
    // Another replica stored a head first.
    return { head: (await newestVaultHead(vault, generation))?.head ?? null, uncovered: 0 }
  }
  // One head per day suffices to name a day up to which a log that was modified later is proven.
  const replaced = covered && dayOf(covered) === dayOf(head.payload) ? covered.seq : null
  await insertDatabaseHead(database, head, replaced)
  if (replaced !== null) await pruneVaultHead(vault, generation, replaced)
  return { head, uncovered: 0 }
}

const dayOf = ({ signed_at }: { signed_at: string }) => signed_at.slice(0, 10)

/** Heads from before an accepted loss contradict the log, so each accepted loss starts a new list of heads. */
function generationOf(losses: readonly KnownLoss[], signer: HeadSigner): number {
  for (const { number, loss } of losses)
    if (!loss || signer.problemOf(loss) !== null)
      throw conflict(`The accepted audit loss ${number} in the vault is not valid.`)
  return losses.length
}

function payloadOf(head: SignedAuditHead | null, signer: HeadSigner) {
  const problem = head ? signer.problemOf(head) : 'it cannot be read'
  if (head && problem === null) return head.payload
  throw conflict(`The newest head of the audit log in the vault is not valid: ${problem}.`)
}

const contradiction = (seq: number) =>
  conflict(`The audit log does not fit its newest head in the vault, at entry ${seq}: verify it.`)

/** Throws unless the entry that a head covers is unchanged. */
async function requireEntry(database: Database, { seq, hash }: Point): Promise<void> {
  const [entry] = await readAudit(database, seq - 1, 1)
  if (entry?.seq !== seq || entry.hash !== hash) throw contradiction(seq)
}

/** The newest entry. Throws unless every entry after `known` is linked to it. */
async function followChain(database: Database, known: Point = { seq: 0, hash: chainStart }): Promise<Point> {
  const verifier = createChainVerifier(known)
  let last = known
  for (;;) {
    const entries = await readAudit(database, last.seq, batch)
    for (const entry of entries) {
      if (verifier.add(entry) !== null) throw contradiction(entry.seq)
      last = entry
    }
    if (entries.length < batch) return { seq: last.seq, hash: last.hash }
  }
}

/** Records the loss in the log, where it remains after new heads have hidden the gap in the vault. */
async function reportLostHeads(deps: HeadDeps, vault_seq: number, known_seq: number): Promise<void> {
  deps.logger.error('the vault has lost audit heads', { vault_seq, known_seq })
  await record(
    deps,
    { type: 'system', id: 'console', ip: null },
    { app_id: null, action: 'audit.heads_lost', target: 'audit', details: { vault_seq, known_seq } },
  )
}

/** The periodic job: stores a head when one is due, and measures how many entries are not covered. */
export function auditHeadJob(deps: HeadDeps, metrics: Metrics): () => Promise<void> {
  const unproven = metrics.gauge(
    'audit_entries_unproven',
    'Audit entries that no head in the vault covers yet',
  )
  const contradicted = metrics.gauge(
    'audit_log_contradicted',
    '1 while the audit log does not fit its newest head',
  )
  let covered = 0
  return async () => {
    try {
      const { head, uncovered } = await storeAuditHead(deps, 'due')
      covered = head?.payload.seq ?? 0
      contradicted.set(0)
      unproven.set(uncovered)
    } catch (error) {
      if (error instanceof PublicError && error.code === 'conflict') contradicted.set(1)
      // The number must grow while the vault is unavailable.
      unproven.set(Math.max(0, (await lastSeq(deps.database)) - covered))
      throw error
    }
  }
}
