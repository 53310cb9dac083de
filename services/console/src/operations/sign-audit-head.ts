import type { Clock, Database } from '@kyc/runtime'
import type { HeadSigner } from '../domain/audit-head.ts'
import { insertHead, lastAudit, listHeads } from '../store/audit-log.ts'

const dayMs = 86_400_000
const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/** Once a day has ended: signs the last entry there is. A day without a new entry needs no head. */
export async function signAuditHead(parts: {
  database: Database
  clock: Clock
  signer: HeadSigner
}): Promise<void> {
  const { database, clock, signer } = parts
  const yesterday = dayOf(new Date(clock.now().getTime() - dayMs))
  const heads = await listHeads(database)
  const newest = heads.at(-1)
  if (newest && newest.day >= yesterday) return
  const last = await lastAudit(database)
  if (!last || last.seq === newest?.seq) return
  await insertHead(database, signer.sign({ day: yesterday, seq: last.seq, hash: last.hash }))
}
