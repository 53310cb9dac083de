import { readFile } from 'node:fs/promises'
import { type Command, readOptions, required, UsageError } from '../command.ts'
import { createPack, importPack } from '../pack/pack.ts'

export const pack: Command = {
  usage: 'create <folder> --key PRIVATE.pem | import <folder> <target> --public-key PUBLIC.pem',
  summary: 'signs a folder of lists or models to be carried; checks one that was, and puts it in place whole',
  async run([action, ...args], { say }) {
    const { options, rest } = readOptions(args)
    const [folder, target] = rest
    if (action === 'create' && folder) {
      const count = await createPack(folder, await readFile(required(options, 'key'), 'utf8'))
      say(`${count} files are signed in ${folder}/SHA256SUMS.sig`)
    } else if (action === 'import' && folder && target) {
      const count = await importPack(folder, target, await readFile(required(options, 'public-key'), 'utf8'))
      say(`${count} files are in ${target}`)
    } else throw new UsageError('create or import, and where')
  },
}
