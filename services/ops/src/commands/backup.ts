import { writeBackup } from '../backup/write-backup.ts'
import { type Command, UsageError } from '../command.ts'
import { targets } from './targets.ts'

export const backup: Command = {
  usage: '<new folder>',
  summary:
    'writes every table into a folder, in one snapshot; the vault is copied apart (docs/operations/backup.md)',
  async run([folder], { config, say }) {
    if (!folder) throw new UsageError('where to?')
    const { schemas } = await writeBackup(targets(config), folder, new Date())
    say(
      `${schemas.reduce((sum, { tables }) => sum + tables.length, 0)} tables of ${schemas.length} schemas: ${folder}`,
    )
  },
}
