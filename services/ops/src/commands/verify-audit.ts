import { conflict } from '@kyc/common'
import { createHeadSigner, verifyAudit as verify } from '@kyc/service-console'
import type { Command } from '../command.ts'

export const verifyAudit: Command = {
  usage: '',
  summary:
    'recomputes the whole audit chain and holds the signed daily heads against it; fails where it breaks',
  async run(_args, context) {
    const signer = createHeadSigner(context.config.auditSigningKey(), context.config.auditPreviousKeys)
    const found = await verify({ database: await context.database('console'), signer })
    context.say(JSON.stringify(found))
    if (!found.whole) throw conflict('The audit log was changed after it was written.')
  },
}
