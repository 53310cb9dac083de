import { readFile } from 'node:fs/promises'
import { conflict, type SignedAuditHead, signedAuditHead } from '@kyc/common'
import { verifyAudit as verify } from '@kyc/service-console'
import { type Command, readOptions, UsageError } from '../command.ts'
import { headSigner } from './audit-head.ts'

export const verifyAudit: Command = {
  usage: '[--head FILE]',
  summary:
    'recomputes the whole audit chain, compares it with the heads in the vault and with an exported head, and states which entries are proven; fails unless some are and nothing is wrong',
  async run(args, context) {
    const { options } = readOptions(args)
    const exported = options.head === undefined ? [] : [await readHead(options.head)]
    const parts = {
      database: await context.database('console'),
      vault: context.vault(),
      signer: headSigner(context),
    }
    const { statement, ...found } = await verify(parts, exported)
    context.say(JSON.stringify(found))
    for (const sentence of statement) context.say(sentence)
    if (found.verdict === 'broken') throw conflict('The audit log is not as it was written.')
    if (found.verdict === 'unproven') throw conflict('No entry of the audit log is proven.')
  },
}

async function readHead(file: string): Promise<SignedAuditHead> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--head: ${file} cannot be read as JSON: ${(error as Error).message}`)
  }
  const head = signedAuditHead.safeParse(value)
  if (!head.success) throw new UsageError(`--head: ${file} is not an exported audit head`)
  return head.data
}
