import { type AuditVerification, conflict } from '@kyc/common'
import { appendLoss, deleteDatabaseHeads, listLosses } from '../store/audit-heads.ts'
import { record } from './context.ts'
import { type HeadDeps, storeAuditHead } from './store-audit-head.ts'
import { verifyAudit } from './verify-audit.ts'

type Range = { from_seq: number; to_seq: number }

/**
 * Declares entries lost that a verification reports as missing or replaced, so that heads are signed again. The
 * declaration is signed and stored in the vault, so only a holder of the signing key can make it, and every later
 * verification reports it. The range must equal the reported one, so that operators accept only a loss they have seen.
 */
export async function acceptAuditLoss(deps: HeadDeps, range: Range): Promise<AuditVerification> {
  const { database, vault, clock, signer } = deps
  const lost = lossOf(await verifyAudit(deps))
  if (lost.from_seq !== range.from_seq || lost.to_seq !== range.to_seq)
    throw conflict(
      `The verification finds entries ${lost.from_seq} to ${lost.to_seq} lost, not the given range.`,
    )
  const losses = await listLosses(vault)
  await record(
    deps,
    { type: 'system', id: 'operator', ip: null },
    { app_id: null, action: 'audit.loss_accepted', target: 'audit', details: lost },
  )
  const loss = signer.signLoss(lost, clock.now())
  if ((await appendLoss(vault, losses.length + 1, loss)) !== 'written')
    throw conflict('Another operator accepted a loss meanwhile.')
  await deleteDatabaseHeads(database)
  await storeAuditHead(deps, 'now')
  return verifyAudit(deps)
}

function lossOf({ problems }: AuditVerification): Range {
  const other = problems.find(({ code }) => code !== 'entries_missing' && code !== 'entries_replaced')
  if (other)
    throw conflict(`Only missing or replaced entries can be accepted as lost; there is also ${other.code}.`)
  if (problems.length === 0) throw conflict('The verification finds no entry missing or replaced.')
  return {
    from_seq: Math.min(...problems.map(({ from_seq }) => from_seq)),
    to_seq: Math.max(...problems.map(({ to_seq }) => to_seq)),
  }
}
