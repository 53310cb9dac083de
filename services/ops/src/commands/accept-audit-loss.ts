import { systemClock } from '@kyc/runtime'
import { acceptAuditLoss as accept } from '@kyc/service-console'
import { type Command, readOptions, required, UsageError } from '../command.ts'
import { headSigner } from './audit-head.ts'

export const acceptAuditLoss: Command = {
  usage: '--from SEQ --to SEQ',
  summary:
    'declares audit entries lost that verify-audit finds missing or replaced, as after the restore of a backup; the declaration is signed and stays visible',
  async run(args, context) {
    const { options } = readOptions(args)
    const range = { from_seq: seqOf(options, 'from'), to_seq: seqOf(options, 'to') }
    const parts = {
      database: await context.database('console'),
      vault: context.vault(),
      clock: systemClock,
      signer: headSigner(context),
      logger: context.logger,
    }
    for (const sentence of (await accept(parts, range)).statement) context.say(sentence)
  },
}

function seqOf(options: Record<string, string>, name: string): number {
  const value = required(options, name)
  if (!/^[1-9][0-9]{0,14}$/.test(value)) throw new UsageError(`--${name} must be the seq of an entry`)
  return Number(value)
}
