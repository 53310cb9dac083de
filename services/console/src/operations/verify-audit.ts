import type { AuditVerification, SignedAuditHead } from '@kyc/common'
import type { Database } from '@kyc/runtime'
import type { Vault } from '@kyc/vault'
import type { HeadSigner } from '../domain/audit-head.ts'
import { createAuditVerifier, type KnownHead } from '../domain/audit-proof.ts'
import { listDatabaseHeads, listLosses, listVaultHeads } from '../store/audit-heads.ts'
import { beforeFirst, readAudit } from '../store/audit-log.ts'

const batch = 5_000

/**
 * Recomputes the whole chain and compares it with the heads in the vault and those that the operator provides. Heads are
 * read in the reverse order of writing, and before the entries, so that concurrent writes never look like missing data.
 */
export async function verifyAudit(
  { database, vault, signer }: { database: Database; vault: Vault; signer: HeadSigner },
  exported: readonly SignedAuditHead[] = [],
): Promise<AuditVerification> {
  const copies = await listDatabaseHeads(database)
  const losses = await listLosses(vault)
  const stored = await listVaultHeads(vault, losses.length)
  const kept = exported.map((head): KnownHead => ({ source: 'export', seq: head.payload.seq, head }))
  const verifier = createAuditVerifier([...copies, ...stored, ...kept], losses, signer)
  let after = beforeFirst
  for (;;) {
    const entries = await readAudit(database, after, batch)
    for (const entry of entries) verifier.add(entry)
    after = entries.at(-1)?.seq ?? after
    if (entries.length < batch) return verifier.result()
  }
}
