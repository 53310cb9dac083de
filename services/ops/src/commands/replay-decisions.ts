import { conflict } from '@kyc/common'
import { replayDecisions as replay } from '@kyc/service-session'
import { type Command, readOptions } from '../command.ts'

export const replayDecisions: Command = {
  usage: '[--files]',
  summary:
    'recomputes every decision from its stored inputs, checks receipts (and with --files the evidence)',
  async run(args, context) {
    const { options } = readOptions(args)
    const parts = { database: await context.database('session'), vault: context.vault() }
    const { decisions, receipts, files, differences } = await replay(parts, {
      files: options.files === 'true',
      onDifference: (difference) => context.say(JSON.stringify(difference)),
    })
    context.say(
      `${decisions} decisions, ${receipts} receipts, ${files} files: ${differences.length} differences`,
    )
    if (differences.length > 0) throw conflict('Not everything that was decided can be derived again.')
  },
}
