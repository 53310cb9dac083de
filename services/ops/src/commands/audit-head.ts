import { conflict } from '@kyc/common'
import { systemClock } from '@kyc/runtime'
import { createHeadSigner, type HeadSigner, storeAuditHead } from '@kyc/service-console'
import type { Command } from '../command.ts'
import type { OpsContext } from '../context.ts'

export const headSigner = ({ config }: OpsContext): HeadSigner =>
  createHeadSigner(config.auditSigningKey(), config.auditPreviousKeys)

export const auditHead: Command = {
  usage: '',
  summary:
    'signs the newest audit entry, stores the head in the vault and prints it; keep it outside the installation for verify-audit --head',
  async run(_args, context) {
    const { head } = await storeAuditHead(
      {
        database: await context.database('console'),
        vault: context.vault(),
        clock: systemClock,
        signer: headSigner(context),
        logger: context.logger,
      },
      'now',
    )
    if (!head) throw conflict('The audit log has no entry yet.')
    context.say(JSON.stringify(head))
  },
}
