import { consoleAuditEndpoints } from '@kyc/common'
import { type MountOptions, mount } from '@kyc/http'
import type { Response, Router } from 'express'
import type { HeadSigner } from '../domain/audit-head.ts'
import { actorOf, type Operations, record } from '../operations/context.ts'
import { storeAuditHead } from '../operations/store-audit-head.ts'
import { verifyAudit } from '../operations/verify-audit.ts'
import { listLosses, listVaultHeads } from '../store/audit-heads.ts'
import { type AuditFilter, findAudit } from '../store/audit-log.ts'

const exportBatch = 1_000

/** The audit log: list, export and verification. A user who sees only some apps gets only the entries of those. */
export function mountAudit(
  router: Router,
  operations: Operations,
  signer: HeadSigner,
  options: MountOptions,
): void {
  const { database, vault } = operations
  mount(
    router,
    consoleAuditEndpoints,
    {
      listAudit: async ({ query }, { caller }) => {
        const { before_seq, limit, ...filter } = query
        const before = before_seq ?? Number.MAX_SAFE_INTEGER
        const data = await findAudit(database, { ...filter, visible: caller.app_ids }, { before }, limit)
        return { data, next_before_seq: data.length === limit ? (data.at(-1)?.seq ?? null) : null }
      },
      exportAudit: async ({ query }, { caller, response }) => {
        await record(operations, actorOf(caller), {
          app_id: query.app_id ?? null,
          action: 'audit.exported',
          target: 'audit',
        })
        response.status(200).setHeader('content-type', 'application/x-ndjson')
        response.setHeader('content-disposition', 'attachment; filename="audit.jsonl"')
        await writeEntries(response, operations, { ...query, visible: caller.app_ids })
      },
      verifyAudit: async ({ body }, { caller }) => {
        const result = await verifyAudit({ database, vault, signer }, body.head ? [body.head] : [])
        await record(operations, actorOf(caller), {
          app_id: null,
          action: 'audit.verified',
          target: 'audit',
          details: {
            verdict: result.verdict,
            proven_to: result.proven_to,
            first_broken_seq: result.first_broken_seq,
          },
        })
        return result
      },
      signAuditHead: async (_input, { caller }) => {
        await record(operations, actorOf(caller), {
          app_id: null,
          action: 'audit.head_exported',
          target: 'audit',
        })
        const { head } = await storeAuditHead({ ...operations, signer }, 'now')
        if (!head) throw new Error('no head was signed for an audit log with an entry')
        return head
      },
      listAuditHeads: async () => ({
        data: (await listVaultHeads(vault, (await listLosses(vault)).length)).flatMap(
          ({ head }) => head ?? [],
        ),
        keys: [...signer.keys],
      }),
    },
    options,
  )
}

/** Writes in batches at the speed of the client, and stops when the client disconnects. */
async function writeEntries(
  response: Response,
  { database }: Operations,
  filter: AuditFilter,
): Promise<void> {
  let after = 0
  for (;;) {
    const entries = await findAudit(database, filter, { after }, exportBatch)
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    if (response.destroyed) return
    if (lines !== '' && !response.write(lines)) await drained(response)
    after = entries.at(-1)?.seq ?? after
    if (entries.length < exportBatch) break
  }
  response.end()
}

const drained = (response: Response) =>
  new Promise<void>((resolve) => {
    response.once('drain', resolve)
    response.once('close', resolve)
  })
