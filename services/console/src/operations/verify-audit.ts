import type { Database } from '@kyc/runtime'
import { createChainVerifier } from '../domain/audit-chain.ts'
import type { AuditHead, HeadSigner } from '../domain/audit-head.ts'
import { listHeads, readAudit } from '../store/audit-log.ts'

const batch = 5_000

/** Recomputes the whole chain, and holds the signed heads against it: a chain that was rewritten whole fails there. */
export async function verifyAudit({ database, signer }: { database: Database; signer: HeadSigner }) {
  const verifier = createChainVerifier()
  const heads = await listHeads(database)
  const expected = new Map(heads.map((head) => [head.seq, head]))
  const unfit = new Set<AuditHead>(heads.filter((head) => !signer.isSigned(head)))
  let entries = 0
  let last = 0
  let broken: number | null = null
  for (;;) {
    const read = await readAudit(database, last, batch)
    if (read.length === 0) break
    for (const entry of read) {
      broken = verifier.add(entry)
      const head = expected.get(entry.seq)
      if (head && head.hash !== entry.hash) unfit.add(head)
      last = entry.seq
      entries++
    }
  }
  // A head that names an entry after the last one: the end was cut off.
  const cut = heads.filter((head) => head.seq > last)
  for (const head of cut) unfit.add(head)
  const first_broken_seq = broken ?? (cut.length > 0 ? last + 1 : null)
  const first_broken_head = heads.find((head) => unfit.has(head))?.day ?? null
  return {
    whole: first_broken_seq === null && first_broken_head === null,
    entries,
    first_broken_seq,
    heads: heads.length,
    first_broken_head,
  }
}
