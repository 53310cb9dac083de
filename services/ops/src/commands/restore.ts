import { restoreBackup } from '../backup/restore-backup.ts'
import { type Command, UsageError } from '../command.ts'
import { targets } from './targets.ts'

export const restore: Command = {
  usage: '<folder> --replace',
  summary:
    'puts a backup in place of what the schemas hold, services stopped; purges again what was purged since',
  async run([folder, confirmation], context) {
    if (!folder || confirmation !== '--replace') throw new UsageError('a folder, and --replace after it')
    const { schemas, created_at } = await restoreBackup(targets(context.config), folder)
    context.say(`${schemas.length} schemas are as they were at ${created_at}.`)
    const replayed = await context.vault().replayLedger()
    context.say(`purged again: ${JSON.stringify(replayed)}`)
  },
}
